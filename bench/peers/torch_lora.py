"""LoRA step of a 7B Llama-2 shape in PyTorch on one GPU: what `finery bench train --preset llama-7b-lora` is compared with.

    python bench/peers/torch_lora.py

Rank 8 on all seven projections, frozen bf16 base with random weights, bf16 adapters with f32 masters under AdamW,
micro-batch 4 x 2048, cuDNN attention, no dropout, nothing recomputed. Prints a JSON line for each.

  plain-layers-compile   bench/peers/llama.py with LoRA written by hand; each layer and the loss under torch.compile
  plain                  the same, eager
  peft-layers-compile    transformers and peft; each layer and the loss under torch.compile. Left out without peft
  peft                   the same, eager
"""

import argparse

import torch
import torch.nn.functional as F
from llama import Llama, head_loss
from measure import AdamW, measure, random_batch
from shapes import PRESETS
from torch import nn
from torch_train import attention, hf_llama

RANK = 8
ALPHA = 16


class LoraLinear(nn.Module):
    """A frozen projection whose output is `parts` projections side by side, each with its own adapter on the same input.

    lora_a is [parts * RANK, in]: the parts share one GEMM. lora_b is [parts, out / parts, RANK].
    """

    def __init__(self, d_in, d_out, parts):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(d_out, d_in), requires_grad=False)
        self.lora_a = nn.Parameter(torch.empty(parts * RANK, d_in))
        self.lora_b = nn.Parameter(torch.zeros(parts, d_out // parts, RANK))

    def forward(self, x):
        low = F.linear(x, self.lora_a) * (ALPHA / RANK)
        parts = [F.linear(part, b) for part, b in zip(low.chunk(len(self.lora_b), dim=-1), self.lora_b)]
        return F.linear(x, self.weight) + torch.cat(parts, dim=-1)


def plain_lora(shape):
    model = Llama(shape, LoraLinear)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_("lora_" in name)
    return model, model.layers, model.lm_head.weight, lambda ids: (model(ids), 0.0)


def peft_lora(shape):
    from peft import LoraConfig, get_peft_model

    model, lm_head, hidden_of = hf_llama(shape)
    config = LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules="all-linear", task_type="CAUSAL_LM")
    layers = model.model.layers
    return get_peft_model(model, config, autocast_adapter_dtype=False), layers, lm_head, hidden_of


def make_step(build, compiled, shape):
    torch.manual_seed(0)
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        model, layers, lm_head, hidden_of = build(shape)
    torch.set_default_dtype(torch.float32)
    optimizer = AdamW(model.parameters())
    input_ids, targets = random_batch(shape, "cuda")
    loss_of = head_loss
    if compiled:
        loss_of = torch.compile(head_loss, dynamic=False)
        for layer in layers:
            layer.compile(dynamic=False)

    def step():
        with attention("cuda"):
            hidden, _ = hidden_of(input_ids)
            loss = loss_of(hidden, lm_head, targets)
            loss.backward()
        optimizer.step()
        return loss.detach()

    return step


PEERS = {
    "plain-layers-compile": (plain_lora, True),
    "plain": (plain_lora, False),
    "peft-layers-compile": (peft_lora, True),
    "peft": (peft_lora, False),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", choices=PEERS, action="append", help="only these; may be repeated")
    parser.add_argument("--warmup-steps", type=int, default=3)
    parser.add_argument("--steps", type=int, default=10)
    args = parser.parse_args()

    shape = PRESETS["llama-7b"]
    names = args.peer or PEERS
    peers = {name: lambda name=name: make_step(*PEERS[name], shape) for name in names}
    measure(peers, shape, "cuda", args)


if __name__ == "__main__":
    main()
