"""Timing, the same for every peer, and AdamW as each precision needs it."""

import gc
import json
import statistics
import sys
import time

import torch


BF16_PEAKS = {"H200": 989.4e12, "H100": 989.4e12, "A100": 312.0e12}
"""FLOP/s of dense products in bf16 by a word of a GPU's name, as NVIDIA states them of those with SXM sockets."""


def random_batch(shape, device):
    """input_ids and targets, [rows, positions]: the target of a position is the token after it."""
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(shape.vocab_size, (shape.rows, shape.positions + 1), generator=generator).to(device)
    return ids[:, :-1].contiguous(), ids[:, 1:].contiguous()


class AdamW:
    """torch's fused AdamW over f32 values. Parameters in bf16 get f32 masters, which are copied back after each step."""

    def __init__(self, parameters, lr=1e-4):
        self.parameters = [p for p in parameters if p.requires_grad]
        self.masters = None
        trained = self.parameters
        if any(p.dtype == torch.bfloat16 for p in trained):
            self.masters = trained = [p.detach().float().clone() for p in self.parameters]
            for master in self.masters:
                master.grad = torch.empty_like(master)
        self.inner = torch.optim.AdamW(trained, lr=lr, betas=(0.9, 0.95), weight_decay=0.1, fused=True)

    @torch.no_grad()
    def step(self):
        if self.masters is None:
            self.inner.step()
        else:
            torch._foreach_copy_([m.grad for m in self.masters], [p.grad for p in self.parameters])
            self.inner.step()
            torch._foreach_copy_(self.parameters, self.masters)
        for parameter in self.parameters:
            parameter.grad = None


def spread(measured):
    """Median, smallest and largest of some milliseconds."""
    return {name: round(of(measured), 4) for name, of in (("median", statistics.median), ("min", min), ("max", max))}


def step_ms(step, device, warmup_steps, steps):
    """Milliseconds of back-to-back steps after the warm-up (which compiles), and what the last step gave."""
    for _ in range(warmup_steps):
        result = step()
    if device != "cuda":
        times = []
        for _ in range(steps):
            start = time.perf_counter()
            result = step()
            times.append(1e3 * (time.perf_counter() - start))
        return spread(times), result
    events = [torch.cuda.Event(enable_timing=True) for _ in range(steps + 1)]
    events[0].record()
    for event in events[1:]:
        result = step()
        event.record()
    torch.cuda.synchronize()
    return spread([a.elapsed_time(b) for a, b in zip(events, events[1:])]), result


def kernel_ms(run, measurements=7, measured_ms=40.0):
    """Milliseconds of one of many launches on a GPU, measured as `finery bench kernels` measures."""

    def launch_ms(runs):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(runs):
            run()
        torch.cuda.synchronize()
        return 1e3 * (time.perf_counter() - start) / runs

    launch_ms(2)
    runs = int(min(max(measured_ms / launch_ms(2), 1), 1000))
    return spread([launch_ms(runs) for _ in range(measurements)])


def measure(peers, shape, device, args):
    """Measure each of {name: function making a step}: a JSON line each.

    A peer that cannot run (a library is missing, memory runs out) is named with its reason and left out.
    """
    is_any = False
    for name, make_step in peers.items():
        if device == "cuda":
            torch.cuda.reset_peak_memory_stats()
        try:
            step = make_step()
            ms, loss = step_ms(step, device, args.warmup_steps, args.steps)
        except Exception as error:  # Whatever it is, the others can run.
            print(f"{name}: left out: {type(error).__name__}: {error}", file=sys.stderr)
            continue
        finally:
            step = None
            torch.compiler.reset()
            gc.collect()
        result = {"peer": name, "tokens_per_second": round(shape.tokens / ms["median"] * 1e3, 1), "step_ms": ms}
        result |= {"loss": round(loss.item(), 4), "torch": torch.__version__}
        if device == "cuda":
            result["device"] = torch.cuda.get_device_name()
            result["peak_bytes"] = torch.cuda.max_memory_allocated()
            peak = next((peak for word, peak in BF16_PEAKS.items() if word in result["device"]), None)
            if peak and hasattr(shape, "flops_per_token"):
                result["mfu"] = round(result["tokens_per_second"] * shape.flops_per_token / peak, 3)
            torch.cuda.empty_cache()
        print(json.dumps(result), flush=True)
        is_any = True
    if not is_any:
        sys.exit("no peer could run")
