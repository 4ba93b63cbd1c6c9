"""Generation token by token with a Llama in plain PyTorch: what `finery bench decode` is compared with.

    python bench/peers/torch_decode.py --preset llama-7b --batch 16
    python bench/peers/torch_decode.py --preset llama-15m --device cpu --threads 2

Sequences of one length, random weights (bf16 on a GPU, f32 on a CPU), a static cache, greedy, the token fed back on the device; the
step under `torch.compile`, on a GPU captured as a CUDA graph, which `torch.compile` does not do by itself with a cache that
is written to. Prints a JSON line.

The prompt's keys and values are random: what a token costs does not depend on them.
"""

import argparse
import json

import torch
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", choices=DECODED, default="llama-7b")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda")
    parser.add_argument("--context", type=int, default=500, help="tokens in the cache before the first that is timed")
    parser.add_argument("--batch", type=int, default=1, help="sequences")
    parser.add_argument("--tokens", type=int, default=128, help="of each sequence that are timed")
    parser.add_argument("--warmup-tokens", type=int, default=10)
    parser.add_argument("--threads", type=int, default=2, help="CPU threads")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)

    dtype = torch.bfloat16 if args.device == "cuda" else torch.float32
    slots = -(-(args.context + args.warmup_tokens + args.tokens + 4) // 256) * 256
    torch.set_default_dtype(dtype)
    with torch.device(args.device), torch.inference_mode():
        model = Cached(DECODED[args.preset](slots), slots, args.batch)
        decode = torch.compile(model, dynamic=False)
        token, at = torch.ones(args.batch, dtype=torch.long), torch.full((1,), args.context)

        def step():
            token.copy_(decode(token, at))
            at.add_(1)

        for _ in range(3):
            step()
        if args.device == "cuda":
            captured = torch.cuda.CUDAGraph()
            with torch.cuda.graph(captured):
                step()
            step = captured.replay
        ms, _ = step_ms(step, args.device, args.warmup_tokens, args.tokens)
    result = {"peer": "plain-compile", "preset": args.preset, "batch": args.batch, "context": args.context, "token_ms": ms, "torch": torch.__version__}
    if args.device == "cuda":
        result |= {"device": torch.cuda.get_device_name(), "peak_bytes": torch.cuda.max_memory_allocated()}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
