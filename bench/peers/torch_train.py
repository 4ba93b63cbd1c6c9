"""Training step of a Llama in PyTorch, from scratch: what `finery bench train` is compared with.

    python bench/peers/torch_train.py --preset cpu-15m --threads 2
    python bench/peers/torch_train.py --preset llama-1.3b --rows 1 --positions 32768

Every peer does the same work: forward, mean cross entropy, backward, AdamW (fused) over f32 values. On a CPU all is f32; on
a GPU parameters are bf16 with f32 masters and attention is cuDNN's. Prints a JSON line for each.

  hf-eager            transformers, sdpa attention
  hf-compile          the whole of that under torch.compile, loss included
  hf-layers-compile   each layer under torch.compile, and the loss
  plain               bench/peers/llama.py
  plain-compile       the whole of that under torch.compile, loss included
  plain-layers-compile
"""

import argparse
import contextlib
import dataclasses

import torch
from llama import Llama, head_loss
from measure import AdamW, measure, random_batch
from shapes import PRESETS
from torch.nn.attention import SDPBackend, sdpa_kernel


def hf_llama(shape):
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=shape.vocab_size,
        hidden_size=shape.hidden_size,
        intermediate_size=shape.intermediate_size,
        num_hidden_layers=shape.num_hidden_layers,
        num_attention_heads=shape.num_attention_heads,
        num_key_value_heads=shape.num_attention_heads,
        max_position_embeddings=shape.positions,
        rms_norm_eps=1e-5,
        tie_word_embeddings=shape.tie_word_embeddings,
        use_cache=False,
        attn_implementation="sdpa",
    )
    model = LlamaForCausalLM(config)
    return model, model.lm_head.weight, lambda ids: (model.model(input_ids=ids, use_cache=False).last_hidden_state, 0.0)


def plain_llama(shape):
    model = Llama(shape)
    return model, model.lm_head.weight, lambda ids: (model(ids), 0.0)


def attention(device):
    """cuDNN's where it takes the heads, else the next that does."""
    if device != "cuda":
        return contextlib.nullcontext()
    return sdpa_kernel([SDPBackend.CUDNN_ATTENTION, SDPBackend.FLASH_ATTENTION, SDPBackend.MATH], set_priority=True)


def make_step(build, compiled, shape, device):
    """A function that does one training step. `compiled` is None, "whole" or "layers".

    `build` gives a model, its output layer's weight, and a function of input_ids that gives the last hidden state and what is
    added to the loss.
    """
    torch.manual_seed(0)
    torch.set_default_dtype(torch.bfloat16 if device == "cuda" else torch.float32)
    with torch.device(device):
        model, lm_head, hidden_of = build(shape)
    torch.set_default_dtype(torch.float32)
    optimizer = AdamW(model.parameters())
    input_ids, targets = random_batch(shape, device)
    loss_of = head_loss
    if compiled == "layers":
        loss_of = torch.compile(head_loss, dynamic=False)
        for layer in (model.model if hasattr(model, "model") else model).layers:
            layer.compile(dynamic=False)

    def forward(input_ids, targets):
        hidden, more = hidden_of(input_ids)
        return loss_of(hidden, lm_head, targets), more

    if compiled == "whole":
        forward = torch.compile(forward, dynamic=False)

    def step():
        with attention(device):
            loss, more = forward(input_ids, targets)
            (loss + more).backward()
        optimizer.step()
        return loss.detach()

    return step


PEERS = {
    "hf-eager": (hf_llama, None),
    "hf-compile": (hf_llama, "whole"),
    "hf-layers-compile": (hf_llama, "layers"),
    "plain": (plain_llama, None),
    "plain-compile": (plain_llama, "whole"),
    "plain-layers-compile": (plain_llama, "layers"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", choices=["cpu-15m", "llama-1.3b"], default="cpu-15m")
    parser.add_argument("--peer", choices=PEERS, action="append", help="only these; may be repeated")
    parser.add_argument("--device", choices=["cpu", "cuda"], help="cpu for a cpu- preset, else cuda")
    parser.add_argument("--threads", type=int, default=2, help="CPU threads")
    parser.add_argument("--warmup-steps", type=int, default=3)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--rows", type=int, help="sequences of a step in place of the preset's")
    parser.add_argument("--positions", type=int, help="tokens of a sequence in place of the preset's")
    args = parser.parse_args()

    torch.set_num_threads(args.threads)
    shape = PRESETS[args.preset]
    shape = dataclasses.replace(shape, rows=args.rows or shape.rows, positions=args.positions or shape.positions)
    device = args.device or ("cpu" if args.preset.startswith("cpu") else "cuda")
    names = args.peer or PEERS
    peers = {name: lambda name=name: make_step(*PEERS[name], shape, device) for name in names}
    measure(peers, shape, device, args)


if __name__ == "__main__":
    main()
