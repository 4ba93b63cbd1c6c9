"""Forward and backward pass of a small Mamba or Mamba-2 in transformers on a CPU, on the path that needs no kernels.

    python bench/peers/torch_mamba.py --model mamba2 --threads 2

The model has 4 layers of width 512 with the family's own defaults otherwise (Mamba-2: one group), the batch 2 rows of 512 tokens, all
f32. Prints the median as a JSON line. Mamba's path goes back through each token over arrays of all tokens: give it --layers 1 and
--steps 1, and time.
"""

import argparse
import json
from types import SimpleNamespace

import torch
from measure import random_batch, step_ms
from transformers import Mamba2Config, Mamba2ForCausalLM, MambaConfig, MambaForCausalLM


def build(name, vocab_size, layers):
    sizes = dict(vocab_size=vocab_size, hidden_size=512, num_hidden_layers=layers)
    if name == "mamba":
        return MambaForCausalLM(MambaConfig(**sizes))
    return Mamba2ForCausalLM(Mamba2Config(**sizes, num_heads=16, head_dim=64, n_groups=1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=["mamba", "mamba2"], required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--warmup-steps", type=int, default=1)
    parser.add_argument("--steps", type=int, default=5)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    shape = SimpleNamespace(rows=2, positions=512, vocab_size=1024)
    model = build(args.model, shape.vocab_size, args.layers).train()
    ids, targets = random_batch(shape, "cpu")

    def step():
        model.zero_grad()
        logits = model(ids).logits
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
        loss.backward()
        return loss

    ms, loss = step_ms(step, "cpu", args.warmup_steps, args.steps)
    result = {"peer": f"hf-{args.model}", "layers": args.layers, "step_ms": ms, "loss": round(loss.item(), 4)}
    print(json.dumps(result | {"threads": args.threads, "torch": torch.__version__}))


if __name__ == "__main__":
    main()
