"""Generation token by token with a Llama in PyTorch: what `finery bench decode` is compared with.

    python bench/peers/torch_decode.py --preset llama-7b --batch 16
    python bench/peers/torch_decode.py --preset llama-15m --device cpu --threads 2
    python bench/peers/torch_decode.py --preset llama-125m --device cpu --peer hf-eager --peer hf-compile --peer hf-compile-tuned

Sequences of one length, random weights (bf16 on a GPU, f32 on a CPU unless asked otherwise), a static cache, greedy, the token fed back on
the device. Prints a JSON line for each.

  plain-compile         plain PyTorch, the step under `torch.compile`; on a GPU captured as a CUDA graph, which `torch.compile` does not do
                        by itself with a cache that is written to. What is measured where nothing else is asked for
  plain-compile-tuned   the same with weights packed as constants and each product's blocks chosen by trial. CPUs alone, as those below
  hf-eager              transformers, sdpa attention
  hf-compile            the same under `torch.compile`
  hf-compile-tuned      that with weights packed and blocks chosen

The prompt's keys and values are random in plain PyTorch and computed by transformers: what a token costs does not depend on them.
"""

import argparse
import gc
import json
import sys

import torch
import torch._inductor.config
import torch.nn.functional as F
from llama import Llama, rotate
from measure import step_ms
from shapes import DECODED


class Cached(Llama):
    """One token of each sequence at a time, keys and values in caches of `slots` positions, [B, H, slots, K]: a buffer for each, since a write into a part of
    a buffer would copy all of it in the compiled step."""

    def __init__(self, shape, slots, batch):
        super().__init__(shape)
        heads = shape.num_attention_heads
        for name in ("keys", "values"):
            for layer in range(shape.num_hidden_layers):
                self.register_buffer(f"{name}_{layer}", torch.randn(batch, heads, slots, shape.hidden_size // heads))
        self.register_buffer("slots", torch.arange(slots))

    def forward(self, token, at):
        """The next tokens, [B], of `token` [B] at the position `at` [1]."""
        x = self.embed_tokens(token)
        cos, sin = self.cos[at], self.sin[at]
        seen = (self.slots <= at)[None, None, None]
        for number, layer in enumerate(self.layers):
            keys, values = getattr(self, f"keys_{number}"), getattr(self, f"values_{number}")
            qkv = layer.qkv_proj(layer.input_layernorm(x)).view(len(token), 3, layer.heads, 1, -1)
            q, k, v = rotate(qkv[:, 0], cos, sin), rotate(qkv[:, 1], cos, sin), qkv[:, 2]
            keys.index_copy_(2, at, k)
            values.index_copy_(2, at, v)
            attended = F.scaled_dot_product_attention(q, keys, values, attn_mask=seen)
            x = x + layer.o_proj(attended.reshape(len(token), -1))
            gate, up = layer.gate_up_proj(layer.post_attention_layernorm(x)).chunk(2, dim=-1)
            x = x + layer.down_proj(F.silu(gate) * up)
        return self.lm_head(self.norm(x)).argmax(-1)


def plain_step(shape, is_compiled, args):
    """A function that generates a token of each sequence, whose cache has as many slots as there are positions."""
    model = Cached(shape, shape.positions, args.batch)
    decode = torch.compile(model, dynamic=False) if is_compiled else model
    token, at = torch.ones(args.batch, dtype=torch.long), torch.full((1,), args.context)

    def step():
        token.copy_(decode(token, at))
        at.add_(1)

    return step


def hf_step(shape, is_compiled, args):
    """The same by transformers."""
    import transformers
    from torch_train import hf_llama
    from transformers import StaticCache

    model = hf_llama(shape)[0].eval()
    cache = StaticCache(config=model.config, max_cache_len=shape.positions)

    def decode(ids):
        return model(ids, cache=cache, use_cache=True, logits_to_keep=1).logits[:, -1].argmax(-1, keepdim=True)

    token = decode(torch.randint(shape.vocab_size, (args.batch, args.context)))
    if int(cache.get_seq_length()) != args.context:
        # What it is called differs between versions, and a name that is not known is passed over.
        raise RuntimeError(f"transformers {transformers.__version__} does not fill the cache that it is given")
    if is_compiled:
        decode = torch.compile(decode, dynamic=False)

    def step():
        token.copy_(decode(token))

    return step


# Set for all that compiles: as `options` of `torch.compile` they leave weights unpacked, and change nothing.
TUNED = {"max_autotune": True, "freezing": True}
PEERS = {
    "plain-compile": (plain_step, True, {}),
    "plain-compile-tuned": (plain_step, True, TUNED),
    "hf-eager": (hf_step, False, {}),
    "hf-compile": (hf_step, True, {}),
    "hf-compile-tuned": (hf_step, True, TUNED),
}
SETTLING = 3
"""Steps before the warm-up, which compile."""
GPU_SLOTS = 16
"""PyTorch's attention on GPUs copies masks whose rows are no multiple of it (`preprocess_mask` in ATen's transformers/attention.cpp)."""


def measure_tokens(name, args, dtype):
    """The median time of a token, as printed."""
    # All of them are attended to in each step: no more than are filled at the end.
    slots = args.context + SETTLING + args.warmup_tokens + args.tokens
    if args.device == "cuda":
        slots = -(-slots // GPU_SLOTS) * GPU_SLOTS
    torch.set_default_dtype(dtype)
    make_step, is_compiled, config = PEERS[name]
    with torch.device(args.device), torch.inference_mode(), torch._inductor.config.patch(config):
        step = make_step(DECODED[args.preset](slots), is_compiled, args)
        for _ in range(SETTLING):
            step()
        if args.device == "cuda":
            captured = torch.cuda.CUDAGraph()
            with torch.cuda.graph(captured):
                step()
            step = captured.replay
        ms, _ = step_ms(step, args.device, args.warmup_tokens, args.tokens)
    result = {"peer": name, "preset": args.preset, "batch": args.batch, "context": args.context, "token_ms": ms, "torch": torch.__version__}
    result["dtype"] = str(dtype).removeprefix("torch.")
    if name.startswith("hf"):
        import transformers

        result["transformers"] = transformers.__version__
    if args.device == "cuda":
        result |= {"device": torch.cuda.get_device_name(), "peak_bytes": torch.cuda.max_memory_allocated()}
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", choices=DECODED, default="llama-7b")
    parser.add_argument("--peer", choices=PEERS, action="append", help="in place of plain-compile; may be repeated")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda")
    parser.add_argument("--dtype", choices=["float32", "bfloat16"], help="of all numbers [default: bfloat16 on a GPU, float32 on a CPU]")
    parser.add_argument("--context", type=int, default=500, help="tokens in the cache before the first that is timed")
    parser.add_argument("--batch", type=int, default=1, help="sequences")
    parser.add_argument("--tokens", type=int, default=128, help="of each sequence that are timed")
    parser.add_argument("--warmup-tokens", type=int, default=10)
    parser.add_argument("--threads", type=int, default=2, help="CPU threads")
    args = parser.parse_args()
    names = args.peer or ["plain-compile"]
    if args.device == "cuda" and names != ["plain-compile"]:
        parser.error("--peer: a GPU's peer is plain-compile; the others have run on CPUs alone")
    torch.set_num_threads(args.threads)
    dtype = getattr(torch, args.dtype or ("bfloat16" if args.device == "cuda" else "float32"))
    is_any = False
    for name in names:
        try:
            print(json.dumps(measure_tokens(name, args, dtype)), flush=True)
            is_any = True
        except Exception as error:  # Whatever it is, the others can run.
            print(f"{name}: left out: {type(error).__name__}: {error}", file=sys.stderr)
        finally:
            torch.compiler.reset()
            gc.collect()
    if not is_any:
        sys.exit("no peer could run")


if __name__ == "__main__":
    main()
