"""Timing of training steps, the same for every peer, and AdamW as each precision needs it."""

import gc
import json
import statistics
import subprocess
import sys
import time

import torch


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


def step_ms(step, device, warmup_steps, steps):
    """Median milliseconds of back-to-back steps after the warm-up (which compiles), and the last loss."""
    for _ in range(warmup_steps):
        loss = step()
    if device != "cuda":
        times = []
        for _ in range(steps):
            start = time.perf_counter()
            loss = step()
            times.append(1e3 * (time.perf_counter() - start))
        return statistics.median(times), loss.item()
    events = [torch.cuda.Event(enable_timing=True) for _ in range(steps + 1)]
    events[0].record()
    for event in events[1:]:
        loss = step()
        event.record()
    torch.cuda.synchronize()
    return statistics.median(a.elapsed_time(b) for a, b in zip(events, events[1:])), loss.item()


def add_finery_option(parser):
    parser.add_argument("--finery", metavar="PATH", help="measure this finery too, before and after the peers, and print the ratio")


def measure_finery(path, preset, device, steps):
    """Tokens a second of `finery bench train`, which does two steps that are not timed; its own line goes to stderr."""
    command = [path, "-q", "bench", "train", "--preset", preset, "--device", device, "--steps", str(steps)]
    line = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    print(line, file=sys.stderr, flush=True)
    return round(json.loads(line)["tokens_per_second"], 1)


def measure(peers, shape, device, args, preset):
    """Measure each of {name: function making a step}; every result to stderr, the fastest as a JSON line to stdout.

    A peer that cannot run (a library is missing, memory runs out) is named with its reason and left out. With `args.finery`,
    Finery's runs before and after are in the line, and the ratio of their mean to the fastest peer.
    """
    finery = [measure_finery(args.finery, preset, device, args.steps)] if args.finery else []
    fastest = min(measure_peers(peers, shape, device, args.warmup_steps, args.steps), key=lambda r: r["step_ms"])
    if args.finery:
        finery.append(measure_finery(args.finery, preset, device, args.steps))
        fastest["finery_tokens_per_s"] = finery
        fastest["ratio"] = round(statistics.mean(finery) / fastest["tokens_per_s"], 3)
    print(json.dumps(fastest))


def measure_peers(peers, shape, device, warmup_steps, steps):
    """The result of every peer that runs."""
    results = []
    for name, make_step in peers.items():
        if device == "cuda":
            torch.cuda.reset_peak_memory_stats()
        try:
            step = make_step()
            ms, loss = step_ms(step, device, warmup_steps, steps)
        except (ImportError, RuntimeError) as error:
            print(f"{name}: left out: {type(error).__name__}: {error}", file=sys.stderr)
            continue
        finally:
            step = None
            torch.compiler.reset()
            gc.collect()
        result = {"peer": name, "tokens_per_s": round(shape.tokens / ms * 1e3, 1), "step_ms": round(ms, 2)}
        result |= {"loss": round(loss, 4), "torch": torch.__version__}
        if device == "cuda":
            result["device"] = torch.cuda.get_device_name()
            result["peak_gb"] = round(torch.cuda.max_memory_allocated() / 1e9, 1)
            torch.cuda.empty_cache()
        print(json.dumps(result), file=sys.stderr, flush=True)
        results.append(result)
    if not results:
        sys.exit("no peer could run")
    return results
