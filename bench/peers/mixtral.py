"""Mixtral in plain PyTorch, as someone who wants speed would write it: rows in the order of their experts, one grouped GEMM for gate and up
and one for down, and nothing scattered.

Shapes: B rows, T positions, N = B T tokens, C experts of a token, D hidden_size, F intermediate_size, E experts, H heads, G key heads.
"""

import torch
import torch.nn.functional as F
from llama import RMSNorm, rotary_table, rotate
from torch import nn


def grouped(rows, weight, ends):
    """rows [N C, in] by the expert that each lies with, of weight [E, out, in]; `ends` [E] says where an expert's rows end."""
    return torch._grouped_mm(rows, weight.transpose(-2, -1), offs=ends)


class Mixture(nn.Module):
    def __init__(self, shape):
        super().__init__()
        d, f, e = shape.hidden_size, shape.intermediate_size, shape.num_local_experts
        self.chosen = shape.num_experts_per_tok
        self.gate = nn.Linear(d, e, bias=False)
        self.gate_up_proj = nn.Parameter(torch.empty(e, 2 * f, d))
        self.down_proj = nn.Parameter(torch.empty(e, d, f))

    def forward(self, x):
        """What is added to x [N, D], and of each expert the part of the tokens that it gets and its mean probability, [E]."""
        probabilities = F.linear(x.float(), self.gate.weight.float()).softmax(-1)
        weights, chosen = probabilities.topk(self.chosen)
        weights = weights / weights.sum(-1, keepdim=True)
        experts, order = chosen.flatten().sort()
        numbers = torch.arange(probabilities.shape[-1], device=x.device)
        ends = torch.searchsorted(experts, numbers, right=True).to(torch.int32)
        gate, up = grouped(x[order // self.chosen], self.gate_up_proj, ends).chunk(2, dim=-1)
        made = grouped(F.silu(gate) * up, self.down_proj, ends)
        places = torch.empty_like(order).scatter(0, order, torch.arange(order.numel(), device=x.device))
        made = made[places].view(*chosen.shape, -1)
        load = (chosen.unsqueeze(-1) == numbers).float().sum(1).mean(0)
        return (made.float() * weights.unsqueeze(-1)).sum(1).to(x.dtype), load, probabilities.mean(0)


class Layer(nn.Module):
    def __init__(self, shape):
        super().__init__()
        d = shape.hidden_size
        self.heads, self.key_heads = shape.num_attention_heads, shape.num_key_value_heads
        self.head_dim = d // self.heads
        self.input_layernorm, self.post_attention_layernorm = RMSNorm(d), RMSNorm(d)
        self.qkv_proj = nn.Linear(d, (self.heads + 2 * self.key_heads) * self.head_dim, bias=False)
        self.o_proj = nn.Linear(d, d, bias=False)
        self.mixture = Mixture(shape)

    def forward(self, x, cos, sin):
        b, t, d = x.shape
        heads = self.qkv_proj(self.input_layernorm(x)).view(b, t, -1, self.head_dim).transpose(1, 2)
        q, k, v = heads.split([self.heads, self.key_heads, self.key_heads], dim=1)
        attended = F.scaled_dot_product_attention(rotate(q, cos, sin), rotate(k, cos, sin), v, is_causal=True, enable_gqa=True)
        x = x + self.o_proj(attended.transpose(1, 2).reshape(b, t, d))
        made, load, probability = self.mixture(self.post_attention_layernorm(x).flatten(0, 1))
        return x + made.view(b, t, d), load, probability


class Mixtral(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.experts = shape.num_local_experts
        self.embed_tokens = nn.Embedding(shape.vocab_size, shape.hidden_size)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.num_hidden_layers))
        self.norm = RMSNorm(shape.hidden_size)
        self.lm_head = nn.Linear(shape.hidden_size, shape.vocab_size, bias=False)
        for parameter in self.parameters():
            if parameter.ndim >= 2:
                nn.init.normal_(parameter, std=0.02)
        cos, sin = rotary_table(shape.positions, shape.hidden_size // shape.num_attention_heads, theta=1e6)
        self.register_buffer("cos", cos)
        self.register_buffer("sin", sin)

    def forward(self, input_ids):
        """The last hidden state, [B, T, D], and the routers' loss (Fedus et al. 2021) over all layers."""
        x, loads, probabilities = self.embed_tokens(input_ids), [], []
        for layer in self.layers:
            x, load, probability = layer(x, self.cos, self.sin)
            loads.append(load)
            probabilities.append(probability)
        balance = torch.stack(loads).mean(0) * torch.stack(probabilities).mean(0)
        return self.norm(x), self.experts * balance.sum()
