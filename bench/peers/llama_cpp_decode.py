"""Generation token by token with a Llama in llama.cpp, by llama-cpp-python's low-level API: what `finery bench decode` is compared with on a CPU.

    python bench/peers/llama_cpp_decode.py --preset llama-125m --batch 16
    python bench/peers/llama_cpp_decode.py --preset llama-125m --dtype bf16 --cache f16

Random weights in a GGUF file of its own, removed at the end. Sequences are of one length, each with keys and values of its own; a step
decodes one token of each, and the likeliest one is fed back. Prints a JSON line for each.

  llama-cpp         attention as products and a softmax, in f32 if the cache is
  llama-cpp-flash   attention in one operation, which rounds to 16 bits with a cache of f32, too: not what is compared in f32

How it was built decides much: built from source with pip it takes all instructions that the processor has. The file is called after what it
does, since Python would take one called llama_cpp.py for the package.
"""

import argparse
import json
import logging
import pathlib
import tempfile

import gguf
import llama_cpp
import numpy as np
from measure import step_ms
from shapes import DECODED

PEERS = {"llama-cpp": llama_cpp.LLAMA_FLASH_ATTN_TYPE_DISABLED, "llama-cpp-flash": llama_cpp.LLAMA_FLASH_ATTN_TYPE_ENABLED}
CACHES = {"f32": llama_cpp.GGML_TYPE_F32, "f16": llama_cpp.GGML_TYPE_F16}
WEIGHTS = {
    "f32": (gguf.GGMLQuantizationType.F32, gguf.LlamaFileType.ALL_F32),
    "bf16": (gguf.GGMLQuantizationType.BF16, gguf.LlamaFileType.MOSTLY_BF16),
}


def write_model(path, shape, dtype):
    """A GGUF file of random weights, norms in f32, with no tokenizer: tokens are ids."""
    kind, file_type = WEIGHTS[dtype]
    d, f = shape.hidden_size, shape.intermediate_size
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_file_type(file_type)
    writer.add_vocab_size(shape.vocab_size)
    writer.add_tokenizer_model("no_vocab")
    writer.add_context_length(shape.positions)
    writer.add_embedding_length(d)
    writer.add_block_count(shape.num_hidden_layers)
    writer.add_feed_forward_length(f)
    writer.add_head_count(shape.num_attention_heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(d // shape.num_attention_heads)
    random = np.random.default_rng(0)

    def add(name, *sizes):
        values = 0.02 * random.standard_normal(sizes, dtype=np.float32)
        writer.add_tensor(f"{name}.weight", gguf.quants.quantize(values, kind), raw_dtype=kind)

    def add_norm(name):
        writer.add_tensor(f"{name}.weight", np.ones(d, dtype=np.float32))

    add("token_embd", shape.vocab_size, d)
    for layer in range(shape.num_hidden_layers):
        add_norm(f"blk.{layer}.attn_norm")
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            add(f"blk.{layer}.{name}", d, d)
        add_norm(f"blk.{layer}.ffn_norm")
        add(f"blk.{layer}.ffn_gate", f, d)
        add(f"blk.{layer}.ffn_up", f, d)
        add(f"blk.{layer}.ffn_down", d, f)
    add_norm("output_norm")
    # Without it the embedding is the output layer.
    if not shape.tie_word_embeddings:
        add("output", shape.vocab_size, d)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class Texts:
    """Sequences that are continued together, each with room for `slots` tokens."""

    def __init__(self, model, flash, slots, args):
        params = llama_cpp.llama_context_default_params()
        params.n_ctx, params.n_seq_max = slots * args.batch, args.batch
        params.n_batch = params.n_ubatch = max(args.context, args.batch)
        params.n_threads = params.n_threads_batch = args.threads
        params.flash_attn_type = flash
        params.type_k = params.type_v = CACHES[args.cache]
        # One buffer for all would have each sequence look at the others' keys.
        params.kv_unified = False
        self.context = llama_cpp.llama_init_from_model(model, params)
        if not self.context:
            raise SystemExit(f"llama.cpp made no context of {slots * args.batch} tokens")
        self.vocab_size = llama_cpp.llama_vocab_n_tokens(llama_cpp.llama_model_get_vocab(model))
        self.batch = llama_cpp.llama_batch_init(params.n_batch, 0, 1)
        self.rows = args.batch
        for row in range(self.rows):
            self.decode([((i * 7919 + row) % self.vocab_size, i, row, i + 1 == args.context) for i in range(args.context)])
        self.next, self.at = np.ones(self.rows, dtype=np.int64), args.context

    def decode(self, tokens):
        """Computes tokens, given as (id, position, sequence, whether its logits are wanted)."""
        batch = self.batch
        batch.n_tokens = len(tokens)
        for i, (token, position, row, is_wanted) in enumerate(tokens):
            batch.token[i], batch.pos[i], batch.logits[i] = token, position, is_wanted
            batch.n_seq_id[i], batch.seq_id[i][0] = 1, row
        status = llama_cpp.llama_decode(self.context, batch)
        if status != 0:
            raise SystemExit(f"llama.cpp decoded no batch of {len(tokens)} tokens: status {status}")

    def step(self):
        """One token of each, and the likeliest behind it."""
        self.decode([(token, self.at, row, True) for row, token in enumerate(self.next.tolist())])
        logits = np.ctypeslib.as_array(llama_cpp.llama_get_logits(self.context), (self.rows, self.vocab_size))
        self.next = logits.argmax(-1)
        self.at += 1

    def free(self):
        llama_cpp.llama_batch_free(self.batch)
        llama_cpp.llama_free(self.context)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", choices=DECODED, default="llama-125m")
    parser.add_argument("--peer", choices=PEERS, action="append", help="only these; may be repeated")
    parser.add_argument("--dtype", choices=WEIGHTS, default="f32", help="of weights")
    parser.add_argument("--cache", choices=CACHES, default="f32", help="of keys and values")
    parser.add_argument("--context", type=int, default=500, help="tokens of each prompt")
    parser.add_argument("--batch", type=int, default=1, help="sequences")
    parser.add_argument("--tokens", type=int, default=128, help="of each sequence that are timed")
    parser.add_argument("--warmup-tokens", type=int, default=10)
    parser.add_argument("--threads", type=int, default=2, help="CPU threads")
    args = parser.parse_args()

    # It says much about each file otherwise.
    logging.getLogger("llama-cpp-python").setLevel(logging.CRITICAL)
    # Rounded up as llama.cpp rounds it.
    slots = -(-(args.context + args.warmup_tokens + args.tokens) // 256) * 256
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.gguf"
        write_model(path, DECODED[args.preset](slots), args.dtype)
        model = llama_cpp.llama_model_load_from_file(str(path).encode(), llama_cpp.llama_model_default_params())
        if not model:
            raise SystemExit("llama.cpp did not load the model written for it")
        for name in args.peer or PEERS:
            texts = Texts(model, PEERS[name], slots, args)
            ms, _ = step_ms(texts.step, "cpu", args.warmup_tokens, args.tokens)
            texts.free()
            result = {"peer": name, "preset": args.preset, "batch": args.batch, "context": args.context, "token_ms": ms}
            result |= {"dtype": args.dtype, "cache": args.cache, "llama-cpp-python": llama_cpp.__version__}
            print(json.dumps(result), flush=True)
        llama_cpp.llama_model_free(model)


if __name__ == "__main__":
    main()
