"""The shapes that peers and Finery are measured on, under the names of `finery bench train --preset` and `bench decode --preset`."""

import dataclasses
from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    hidden_size: int
    intermediate_size: int
    num_hidden_layers: int
    num_attention_heads: int
    tie_word_embeddings: bool
    rows: int
    """Sequences in a micro-batch."""
    positions: int
    """Tokens in a sequence."""
    vocab_size: int = 32000

    @property
    def tokens(self):
        return self.rows * self.positions


@dataclass(frozen=True)
class MixtureShape(Shape):
    """Of a model whose MLPs are mixtures of experts."""

    num_key_value_heads: int = 0
    num_local_experts: int = 0
    num_experts_per_tok: int = 0

    @property
    def flops_per_token(self):
        """Six for each weight that a token is multiplied with, and attention of all positions with all others, as Finery counts it."""
        d, head_dim = self.hidden_size, self.hidden_size // self.num_attention_heads
        attention = 2 * d * d + 2 * d * self.num_key_value_heads * head_dim
        experts = d * self.num_local_experts + self.num_experts_per_tok * 3 * d * self.intermediate_size
        weights = self.num_hidden_layers * (attention + experts) + self.vocab_size * d
        return 6 * weights + 12 * self.num_hidden_layers * d * self.positions


PRESETS = {
    "cpu-15m": Shape(288, 768, 6, 6, tie_word_embeddings=True, rows=8, positions=256),
    "llama-125m": Shape(768, 2048, 12, 12, tie_word_embeddings=True, rows=8, positions=1024),
    "llama-1.3b": Shape(2048, 5504, 24, 16, tie_word_embeddings=False, rows=8, positions=2048),
    "llama-7b": Shape(4096, 11008, 32, 32, tie_word_embeddings=False, rows=4, positions=2048),
    "mixtral-3b": MixtureShape(
        2048,
        7168,
        8,
        16,
        tie_word_embeddings=False,
        rows=8,
        positions=2048,
        num_key_value_heads=4,
        num_local_experts=8,
        num_experts_per_tok=2,
    ),
}


def _decoded(name):
    """The model of a preset for sequences of up to so many tokens."""
    return lambda positions: dataclasses.replace(PRESETS[name], rows=1, positions=positions)


DECODED = {"llama-15m": _decoded("cpu-15m"), "llama-125m": _decoded("llama-125m"), "llama-7b": _decoded("llama-7b")}
