"""Llama in plain PyTorch, as someone who wants speed would write it: no mask, no cache, one GEMM for query, key and value
and one for gate and up, and a loss that fuses into one pass over the logits when compiled.

Shapes: B rows, T positions, D hidden_size, H heads, K head_dim, V vocab_size.
"""

import torch
import torch.nn.functional as F
from torch import nn


def rotary_table(positions, head_dim, theta=10000.0):
    """cos and sin, [T, K]."""
    frequencies = theta ** (-torch.arange(0, head_dim, 2, dtype=torch.float32) / head_dim)
    angles = torch.outer(torch.arange(positions, dtype=torch.float32), frequencies).repeat(1, 2)
    return angles.cos(), angles.sin()


def rotate(x, cos, sin):
    """Rotary embedding of x [B, H, T, K], computed in f32."""
    first, second = x.chunk(2, dim=-1)
    return (x * cos + torch.cat((-second, first), dim=-1) * sin).to(x.dtype)


class RMSNorm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x):
        x32 = x.float()
        return self.weight * (x32 * torch.rsqrt(x32.square().mean(-1, keepdim=True) + 1e-5)).to(x.dtype)


class Layer(nn.Module):
    """One decoder layer. `linear(in, out, parts)` makes a projection whose output is `parts` projections side by side."""

    def __init__(self, shape, linear):
        super().__init__()
        d, f = shape.hidden_size, shape.intermediate_size
        self.heads = shape.num_attention_heads
        self.input_layernorm, self.post_attention_layernorm = RMSNorm(d), RMSNorm(d)
        self.qkv_proj, self.o_proj = linear(d, 3 * d, 3), linear(d, d, 1)
        self.gate_up_proj, self.down_proj = linear(d, 2 * f, 2), linear(f, d, 1)

    def forward(self, x, cos, sin):
        b, t, d = x.shape
        qkv = self.qkv_proj(self.input_layernorm(x)).view(b, t, 3, self.heads, -1)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(rotate(q, cos, sin), rotate(k, cos, sin), v, is_causal=True)
        x = x + self.o_proj(attended.transpose(1, 2).reshape(b, t, d))
        gate, up = self.gate_up_proj(self.post_attention_layernorm(x)).chunk(2, dim=-1)
        return x + self.down_proj(F.silu(gate) * up)


class Llama(nn.Module):
    def __init__(self, shape, linear=lambda d_in, d_out, parts: nn.Linear(d_in, d_out, bias=False)):
        super().__init__()
        self.embed_tokens = nn.Embedding(shape.vocab_size, shape.hidden_size)
        self.layers = nn.ModuleList(Layer(shape, linear) for _ in range(shape.num_hidden_layers))
        self.norm = RMSNorm(shape.hidden_size)
        self.lm_head = nn.Linear(shape.hidden_size, shape.vocab_size, bias=False)
        if shape.tie_word_embeddings:
            self.lm_head.weight = self.embed_tokens.weight
        for parameter in self.parameters():
            if parameter.ndim == 2:
                nn.init.normal_(parameter, std=0.02)
        cos, sin = rotary_table(shape.positions, shape.hidden_size // shape.num_attention_heads)
        self.register_buffer("cos", cos)
        self.register_buffer("sin", sin)

    def forward(self, input_ids):
        """The last hidden state, [B, T, D]."""
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x, self.cos, self.sin)
        return self.norm(x)


def head_loss(hidden, lm_head, targets):
    """Mean cross entropy of hidden [B, T, D] through lm_head [V, D] against targets [B, T]."""
    logits = F.linear(hidden.flatten(0, 1), lm_head)
    return F.cross_entropy(logits.float(), targets.flatten())
