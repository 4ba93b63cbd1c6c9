"""Training step of a Mixtral in PyTorch, from scratch: what `finery bench train --preset mixtral-3b` is compared with.

    python bench/peers/torch_moe.py

As bench/peers/torch_train.py on a GPU: parameters in bf16 with f32 masters, fused AdamW, cuDNN's attention where it takes the heads; routers
in f32, their loss included. Experts are grouped GEMMs (torch._grouped_mm). MFU counts the parameters that a token meets. Prints a JSON line for
each.

  hf-layers-compile   transformers (from version 5 on) with grouped experts, each layer under torch.compile, and the loss
  plain               bench/peers/mixtral.py
  plain-layers-compile
  plain-compile       the whole of that under torch.compile, loss included
"""

import argparse

from measure import measure
from mixtral import Mixtral
from shapes import PRESETS
from torch_train import make_step

ROUTER_LOSS = 0.02


def hf_mixtral(shape):
    import transformers
    from transformers import MixtralConfig, MixtralForCausalLM

    if int(transformers.__version__.split(".")[0]) < 5:
        raise ImportError(f"transformers {transformers.__version__} has no grouped experts")
    from transformers.models.mixtral.modeling_mixtral import load_balancing_loss_func

    config = MixtralConfig(
        vocab_size=shape.vocab_size,
        hidden_size=shape.hidden_size,
        intermediate_size=shape.intermediate_size,
        num_hidden_layers=shape.num_hidden_layers,
        num_attention_heads=shape.num_attention_heads,
        num_key_value_heads=shape.num_key_value_heads,
        num_local_experts=shape.num_local_experts,
        num_experts_per_tok=shape.num_experts_per_tok,
        max_position_embeddings=shape.positions,
        tie_word_embeddings=False,
        use_cache=False,
        attn_implementation="sdpa",
        experts_implementation="grouped_mm",
    )
    model = MixtralForCausalLM(config)

    def hidden_of(ids):
        outputs = model.model(input_ids=ids, use_cache=False, output_router_logits=True)
        balance = load_balancing_loss_func(outputs.router_logits, shape.num_local_experts, shape.num_experts_per_tok)
        return outputs.last_hidden_state, ROUTER_LOSS * balance

    return model, model.lm_head.weight, hidden_of


def plain_mixtral(shape):
    model = Mixtral(shape)

    def hidden_of(ids):
        hidden, balance = model(ids)
        return hidden, ROUTER_LOSS * balance

    return model, model.lm_head.weight, hidden_of


PEERS = {
    "hf-layers-compile": (hf_mixtral, "layers"),
    "plain": (plain_mixtral, None),
    "plain-layers-compile": (plain_mixtral, "layers"),
    "plain-compile": (plain_mixtral, "whole"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", choices=["mixtral-3b"], default="mixtral-3b")
    parser.add_argument("--peer", choices=PEERS, action="append", help="only these; may be repeated")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda")
    parser.add_argument("--warmup-steps", type=int, default=3)
    parser.add_argument("--steps", type=int, default=10)
    args = parser.parse_args()

    shape = PRESETS[args.preset]
    names = args.peer or PEERS
    peers = {name: lambda name=name: make_step(*PEERS[name], shape, args.device) for name in names}
    measure(peers, shape, args.device, args)


if __name__ == "__main__":
    main()
