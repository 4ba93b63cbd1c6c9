"""Training step of a Llama under PyTorch's fully sharded data parallelism, on all GPUs of a machine: what `finery bench train --mesh fsdp=N` is
compared with.

    torchrun --nproc-per-node 2 bench/peers/torch_fsdp.py --preset llama-1.3b

`fully_shard` of each layer and of the rest over f32 parameters; gathered and computed with in bf16, gradients scattered in f32 or bf16 as --reduce
says; each layer and the loss under torch.compile, cuDNN's attention, fused AdamW. The preset's rows are those of all GPUs together. Rank 0 prints a
line of JSON.
"""

import argparse
import json
import os

import torch
import torch.distributed as dist
from llama import Llama, head_loss
from measure import random_batch, step_ms
from shapes import PRESETS
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.nn.attention import SDPBackend, sdpa_kernel


class WithLoss(torch.nn.Module):
    """The model with its loss inside, so that the output layer is gathered where it is used."""

    def __init__(self, shape):
        super().__init__()
        self.model = Llama(shape)
        self.loss = torch.compile(head_loss, dynamic=False)

    def forward(self, input_ids, targets):
        return self.loss(self.model(input_ids), self.model.lm_head.weight, targets)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", choices=["llama-1.3b", "llama-7b"], default="llama-1.3b")
    parser.add_argument("--reduce", choices=["float32", "bfloat16"], default="float32")
    parser.add_argument("--keep", action="store_true", help="keep weights gathered from the forward to the backward pass")
    parser.add_argument("--warmup-steps", type=int, default=5)
    parser.add_argument("--steps", type=int, default=25)
    args = parser.parse_args()

    rank, count = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    shape = PRESETS[args.preset]
    torch.manual_seed(0)
    with torch.device("cuda"):
        whole = WithLoss(shape)
    policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=getattr(torch, args.reduce))
    for layer in whole.model.layers:
        layer.compile(dynamic=False)
        fully_shard(layer, mp_policy=policy, reshard_after_forward=not args.keep)
    fully_shard(whole, mp_policy=policy, reshard_after_forward=not args.keep)
    optimizer = torch.optim.AdamW(whole.parameters(), lr=1e-4, betas=(0.9, 0.95), weight_decay=0.1, fused=True)
    own = slice(rank * shape.rows // count, (rank + 1) * shape.rows // count)
    input_ids, targets = (part[own].contiguous() for part in random_batch(shape, "cuda"))

    def step():
        with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
            loss = whole(input_ids, targets)
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss.detach()

    ms, loss = step_ms(step, "cuda", args.warmup_steps, args.steps)
    if rank == 0:
        tokens = shape.rows * shape.positions
        peak = torch.cuda.max_memory_allocated()
        name = f"fully_shard, {args.reduce} gradients" + (", kept" if args.keep else "")
        print(json.dumps({"peer": name, "gpus": count, "tokens_per_second": tokens / ms["median"] * 1e3, "step_ms": ms, "peak_bytes": peak, "loss": loss.item()}))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
