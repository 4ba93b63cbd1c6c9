"""Finery beside its peers on this machine, in one go, and the tables of BENCHMARKS.md from that.

    python bench/compare.py --finery target/release/finery --list
    python bench/compare.py --finery target/release/finery --only cpu-15m --only decode-15m --write
    python bench/compare.py --finery finery --save results.json        on a GPU machine, which may have no checkout of its own
    python bench/compare.py --load results.json --write                where the checkout is

Of each comparison Finery runs first, then the peers (bench/peers/), then the first of Finery's commands again: what the machine
does in between is seen by both; of kernels the peers run first. What cannot run here (a GPU, a library, memory) is left out and named. With --write each table takes the place of what
stands in BENCHMARKS.md between `<!-- compare: NAME -->` and `<!-- end -->`. Needs Python 3.10 and, for the peers, what they import.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent.parent
PEERS = ROOT / "bench" / "peers"


@dataclass(frozen=True)
class Comparison:
    """What is compared, and by which commands: those of `finery bench`, and those of scripts in bench/peers."""

    title: str
    table: str
    """Which columns: train, decode or kernels."""
    device: str
    ours: list[str]
    peers: list[str] = field(default_factory=list)


STEPS = "--warmup 100 --steps 50"
PEER_STEPS = "--warmup-steps 100 --steps 50"
# A step of these takes long enough that fewer of them warm the card.
LONG = "--warmup 30 --steps 20"
PEER_LONG = "--warmup-steps 30 --steps 20"
# A token takes the longer the more stand before it: both sides have as many.
TOKENS = "--tokens 128"
COMPILED = "--peer plain-layers-compile --peer hf-layers-compile"
CPU_PEERS = "--device cpu --peer plain-compile --peer plain-compile-tuned --peer hf-eager --peer hf-compile --peer hf-compile-tuned"
OPERATIONS = ["attention", "causal convolution", "selective scan", "dual scan", "grouped product", "product of", "norm of"]

COMPARISONS = {
    "cpu-15m": Comparison(
        "Training step, 15M parameters, CPU",
        "train",
        "cpu",
        ["train --preset cpu-15m --warmup 3 --steps 12"],
        ["torch_train.py --preset cpu-15m --warmup-steps 3 --steps 12 --peer plain-compile --peer hf-layers-compile"],
    ),
    "decode-15m": Comparison(
        "Generation, 15M parameters, CPU",
        "decode",
        "cpu",
        ["decode --preset llama-15m --tokens 200 --check"],
        ["torch_decode.py --preset llama-15m --device cpu --tokens 200"],
    ),
    "decode-125m": Comparison(
        "Generation, 125M parameters, CPU",
        "decode",
        "cpu",
        # In f32 as Finery: llama.cpp's attention in one operation would round to 16 bits.
        [f"decode --preset llama-125m {TOKENS} --check"],
        [f"torch_decode.py --preset llama-125m {TOKENS} {CPU_PEERS}", f"llama_cpp_decode.py --preset llama-125m {TOKENS} --peer llama-cpp"],
    ),
    "decode-125m-16": Comparison(
        "Generation, 125M parameters, 16 sequences, CPU",
        "decode",
        "cpu",
        [f"decode --preset llama-125m --batch 16 {TOKENS} --check"],
        [
            f"torch_decode.py --preset llama-125m --batch 16 {TOKENS} {CPU_PEERS}",
            f"llama_cpp_decode.py --preset llama-125m --batch 16 {TOKENS} --peer llama-cpp",
        ],
    ),
    "llama-1.3b": Comparison(
        "Pre-training step, 1.3B parameters",
        "train",
        "cuda",
        [f"train --preset llama-1.3b {STEPS} --check", f"train --preset llama-1.3b --dtype fp8 --remat none {STEPS}"],
        [f"torch_train.py --preset llama-1.3b {PEER_STEPS} {COMPILED}"],
    ),
    "long-context": Comparison(
        "Pre-training step, 1.3B parameters, one row of 32,768 tokens",
        "train",
        "cuda",
        # Without --check: plain attention would hold the scores of 32,768 x 32,768 pairs in each of 16 heads, 34 GB in bf16.
        [f"train --preset llama-1.3b --rows 1 --positions 32768 {LONG}"],
        [f"torch_train.py --preset llama-1.3b --rows 1 --positions 32768 {PEER_LONG} {COMPILED}"],
    ),
    "llama-7b-lora": Comparison(
        "LoRA step, 7B parameters",
        "train",
        "cuda",
        # Without --check: compiling the same step in plain operations takes longer than all of these.
        [
            f"train --preset llama-7b-lora {LONG}",
            f"train --preset llama-7b-lora --packed {LONG}",
            f"train --preset llama-7b-lora --dtype fp8 --remat none {LONG}",
        ],
        [f"torch_lora.py {PEER_LONG} --peer plain-layers-compile --peer peft-layers-compile"],
    ),
    "mamba-1.6b": Comparison(
        "Pre-training step, Mamba, 1.6B parameters",
        "train",
        "cuda",
        [f"train --preset mamba-1.6b {LONG} --check"],
        ["jax_mamba.py --preset mamba-1.6b --warmup-steps 3 --steps 10"],
    ),
    "mixtral-3b": Comparison(
        "Pre-training step, a mixture of 8 experts, 2 a token, 3.0B parameters",
        "train",
        "cuda",
        [f"train --preset mixtral-3b {LONG} --check"],
        [f"torch_moe.py {PEER_LONG} --peer hf-layers-compile --peer plain-layers-compile"],
    ),
    "decode-7b": Comparison(
        "Generation, 7B parameters",
        "decode",
        "cuda",
        ["decode --preset llama-7b --tokens 256 --check"],
        ["torch_decode.py --preset llama-7b --tokens 256"],
    ),
    # One after another, so that what was measured is kept if the machine is taken away: references in plain operations take minutes to compile.
    "kernels": Comparison("Kernels", "kernels", "cuda", [f'kernels --only "{operation}"' for operation in OPERATIONS], ["torch_kernels.py"]),
}


def run(command, names, is_checked):
    """Objects among the JSON lines that a command prints. One that fails says why; if it is checked, none of it is kept, which may be what is wrong."""
    print(f"$ {shlex.join(command)}", file=sys.stderr, flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=PEERS)
    lines = [found for line in done.stdout.splitlines() if line.startswith("{") and (found := whole(line))]
    if done.returncode != 0:
        kept = "left out" if is_checked else "what it had measured until then is kept"
        print(f"{names}: ended with status {done.returncode}; {kept}", file=sys.stderr)
    return [] if is_checked and done.returncode != 0 else lines


def whole(line):
    """A line of JSON, or nothing of one that was cut."""
    try:
        return json.loads(line)
    except ValueError:
        return None


def processors():
    """As many as Finery takes: those that this process may use, but no more than quotas of its control groups give it."""
    listed = pathlib.Path("/proc/self/cgroup").read_text()
    return max(min([len(os.sched_getaffinity(0)), *quotas(listed, pathlib.Path("/sys/fs/cgroup"))]), 1)


def quotas(listed, folder):
    """How many processors the control groups `listed` in /proc/self/cgroup give, and those around them, where they say so: of version 2, or of 1 where
    that counts them."""
    groups = dict(line.split(":", 2)[1:] for line in listed.splitlines())
    counting = next((kinds for kinds in groups if "cpu" in kinds.split(",")), "")
    if counting:
        folder /= "cpu" if (folder / "cpu").exists() else counting
    group = folder / groups.get(counting, "/").lstrip("/")
    if not group.exists():
        # In a container its own group stands topmost, without the name that it has outside. Finery finds that of version 1, but takes no quota of 2.
        if not counting:
            return
        group = folder
    for one in (group, *group.parents):
        for names in (["cpu.max"], ["cpu.cfs_quota_us", "cpu.cfs_period_us"]):
            files = [one / name for name in names]
            if all(file.exists() for file in files):
                quota, period = " ".join(file.read_text() for file in files).split()
                if quota not in ("max", "-1"):
                    yield int(quota) // int(period)


def measure(comparison, finery, python, keep):
    """What each command printed, as (whose, command as people type it, object); `keep` is given all of them so far behind each command."""
    ours = []
    for words in comparison.ours:
        command = [finery, "-q", "bench", *shlex.split(words), "--device", comparison.device, "--json"]
        ours.append((f"finery bench {words}", command))
    threads = ["--threads", str(processors())] if comparison.device == "cpu" else []
    peers = [(f"python bench/peers/{words}", [python, *shlex.split(words), *threads]) for words in comparison.peers]
    # Of single operations each is timed by itself, and peers take less long than references in plain operations take to compile.
    around = (("Finery", ours), ("peer", peers), ("Finery", ours[:1]))
    found = []
    for whose, commands in around if comparison.table != "kernels" else (("peer", peers), ("Finery", ours)):
        for typed, command in commands:
            found += [(whose, typed, one) for one in run(command, typed, whose == "Finery")]
            keep(found)
    return found


def spread(ms, digits):
    return f"{ms['median']:,.{digits}f} ({ms['min']:,.{digits}f} to {ms['max']:,.{digits}f})"


def ratio_line(comparison, name, ours, peers, better):
    """How the first of Finery's commands compares with the fastest peer; nothing where either did not run."""
    command = f"finery bench {comparison.ours[0]}"
    first = [value for typed, value in ours if typed == command]
    if not first or not peers:
        return []
    mean, fastest = sum(first) / len(first), better(peers)
    quotient = mean / fastest if better is max else fastest / mean
    return ["", f"`{command}` beside the fastest peer, {name}: {quotient:.2f}."]


def train_table(comparison, found):
    rows = ["| what | command | ms, median (least to most) | tok/s | TFLOP/s, of a product's | peak GB |", "|---|---|---|---|---|---|"]
    ours, peers = [], []
    # Peers compute the same step, and count none of it.
    counted = [(one["tflop_per_s"] / one["tokens_per_second"], one["product_tflop_per_s"]) for _, _, one in found if "product_tflop_per_s" in one]
    for whose, command, one in found:
        name = "Finery" if whose == "Finery" else one["peer"]
        (ours.append((command, one["tokens_per_second"])) if whose == "Finery" else peers.append(one["tokens_per_second"]))
        reached = "-"
        if "product_tflop_per_s" in one:
            most = one["product_tflop_per_s"]
            reached = f"{one['tflop_per_s']:.{1 if most > 10 else 3}f}"
            # The product is one of 16 bits, and says nothing of what those of 8 bits could do.
            if one.get("dtype") != "fp8":
                reached += f", {100 * one['tflop_per_s'] / most:.0f} %"
        elif counted:
            each, most = counted[0]
            rate = each * one["tokens_per_second"]
            reached = f"{rate:.{1 if most > 10 else 3}f}, {100 * rate / most:.0f} %"
        peak = one.get("peak_bytes")
        peak = f"{peak / 1e9:.1f}" if peak else "-"
        rows.append(f"| {name} | `{command}` | {spread(one['step_ms'], 1)} | {one['tokens_per_second']:,.0f} | {reached} | {peak} |")
    return rows + ratio_line(comparison, "tokens a second", ours, peers, max)


def decode_table(comparison, found):
    rows = ["| what | command | ms a token, median (least to most) | weights GB/s, of a copy's | peak GB |", "|---|---|---|---|---|"]
    ours, peers = [], []
    for whose, command, one in found:
        name = "Finery" if whose == "Finery" else one["peer"]
        median = one["token_ms"]["median"]
        (ours.append((command, median)) if whose == "Finery" else peers.append(median))
        reached = "-"
        if "weights_gb_per_s" in one:
            part = 100 * one["weights_gb_per_s"] / one["copy_gb_per_s"]
            # Of weights so small that caches may hold them a part of what memory does says nothing.
            place = "in caches" if one["weights_in_caches"] else f"{part:.0f} %"
            reached = f"{one['weights_gb_per_s']:,.0f}, {place}"
        peak = one.get("peak_bytes")
        peak = f"{peak / 1e9:.1f}" if peak else "-"
        rows.append(f"| {name} | `{command}` | {spread(one['token_ms'], 2)} | {reached} | {peak} |")
    return rows + ratio_line(comparison, "its time by ours", ours, peers, min)


def kernels_table(comparison, found):
    """Finery's operations, each beside the fastest peer's."""
    bare = lambda operation: re.sub(r", (blocks )?for \w+$", "", operation)
    peers = {}
    for whose, _, one in found:
        if whose == "peer":
            peers.setdefault(one["operation"], []).append((one["ms"]["median"], one["peer"]))
    rows = ["| operation | ms, median (least to most) | TFLOP/s | GB/s | floor ms | of the ceiling | off by | fastest peer | ms | ratio |", "|---|---|---|---|---|---|---|---|---|---|"]
    ceilings = []
    for whose, _, one in found:
        if whose != "Finery":
            continue
        ceilings = ["", f"A copy moves {one['copy_gb_per_s']:,.0f} GB/s and a product does {one['product_tflop_per_s']:.0f} TFLOP/s in this run."]
        for row in one["operations"]:
            ms = row.get("ms") or row["reference_ms"]
            best, name = min(peers.get(bare(row["operation"]), []), default=(None, "-"))
            beside = f"{best:.4f} | {best / ms['median']:.2f}" if best else "- | -"
            off_by = "not a number" if row["off_by"] is None else f"{row['off_by']:.1e}"
            # Arguments so small that launch after launch finds them in the second cache, and not in memory.
            place = " (in caches)" if row.get("in_caches") else ""
            # Of what a copy or a product reaches, whichever takes longer for this; caches are faster than a copy.
            part = "-" if place else f"{100 * row['floor_ms'] / ms['median']:.0f} %"
            rates = f"{row['tflop_per_s']:.0f} | {row['gb_per_s']:,.0f}{place} | {row['floor_ms']:.4f} | {part} | {off_by}"
            rows.append(f"| {row['operation']} | {spread(ms, 4)} | {rates} | {name} | {beside} |")
    return rows + ceilings


TABLES = {"train": train_table, "decode": decode_table, "kernels": kernels_table}


def machine():
    """What this ran on, in words."""
    if shutil.which("nvidia-smi"):
        query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
        lines = subprocess.run(query, stdout=subprocess.PIPE, text=True).stdout.strip().splitlines()
        if lines:
            name, driver = lines[0].split(", ")
            return f"{len(lines)} x {name}, driver {driver}"
    text = pathlib.Path("/proc/cpuinfo").read_text()
    model = re.search(r"model name\s*: (.*)", text)
    return f"{model[1] if model else 'CPU'}, {processors()} cores"


MADE_OF = ["torch", "transformers", "jax", "llama-cpp-python"]


def versions(found):
    """Of what peers are made of."""
    known = {f"{key} {one[key]}" for whose, _, one in found if whose == "peer" for key in MADE_OF if key in one}
    return ", ".join(sorted(known))


def section(comparison, result):
    """The lines of a table in BENCHMARKS.md."""
    about = [result["machine"], versions(result["found"]), result["date"], f"commit {result['commit']}"]
    return ["", ", ".join(filter(None, about)) + ".", "", *TABLES[comparison.table](comparison, result["found"]), ""]


BENCHMARKS = ROOT / "BENCHMARKS.md"


def place(name):
    """Where a table stands in BENCHMARKS.md."""
    return re.compile(rf"(<!-- compare: {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)


def without_place(names):
    text = BENCHMARKS.read_text()
    return [name for name in names if not place(name).search(text)]


def write(name, lines):
    body = "\n".join(lines)
    BENCHMARKS.write_text(place(name).sub(lambda found: f"{found[1]}{body}\n{found[2]}", BENCHMARKS.read_text()))


def loaded(parser, path, only):
    """What --save wrote, or what is asked for of that."""
    try:
        results = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        parser.error(f"--load: {path}: {error}")
    if not isinstance(results, dict) or not all(name in COMPARISONS and "found" in one for name, one in results.items()):
        parser.error(f"--load: {path} is not what --save wrote")
    missing = [name for name in only or [] if name not in results]
    if missing:
        parser.error(f"--only: {path} has no {', '.join(missing)}, but {', '.join(results)}")
    return {name: one for name, one in results.items() if not only or name in only}


def commit():
    git = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    done = subprocess.run(git, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.strip() or "unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--finery", metavar="PATH", help="the binary that is measured")
    parser.add_argument("--python", metavar="PATH", default=sys.executable, help="what runs the peers [default: what runs this]")
    parser.add_argument("--only", metavar="NAME", choices=COMPARISONS, action="append", help="only this; may be repeated")
    parser.add_argument("--list", action="store_true", help="say what can be compared, and do nothing")
    parser.add_argument("--commit", help="what the binary was built from [default: this checkout's]")
    parser.add_argument("--save", metavar="FILE", type=pathlib.Path, help="write what was measured to a file")
    parser.add_argument("--load", metavar="FILE", type=pathlib.Path, help="measure nothing, and take what a file holds")
    parser.add_argument("--write", action="store_true", help="put the tables into BENCHMARKS.md")
    args = parser.parse_args()
    if args.list:
        for name, comparison in COMPARISONS.items():
            print(f"{name:14}  {comparison.device:4}  {comparison.title}")
        return
    if args.load and args.save:
        parser.error("--save: with --load nothing is measured that could be saved")
    results = loaded(parser, args.load, args.only) if args.load else {}
    if args.save and not os.access(args.save.parent, os.W_OK):
        parser.error(f"--save: {args.save.parent} is no folder that can be written to")
    has_gpu = shutil.which("nvidia-smi") is not None
    fitting = [name for name, one in COMPARISONS.items() if (one.device == "cuda") == has_gpu]
    names = list(results) or args.only or fitting
    missing = without_place(names) if args.write else []
    if missing:
        parser.error(f"--write: BENCHMARKS.md has no lines `<!-- compare: NAME -->` and `<!-- end -->` for {', '.join(missing)}")
    if not args.load:
        if not args.finery:
            parser.error("--finery says which binary is measured; --list says what can be, and --load takes what was")
        finery = shutil.which(args.finery)
        if not finery:
            parser.error(f"--finery: {args.finery} is no program that can be run")
        python = shutil.which(args.python)
        if not python:
            parser.error(f"--python: {args.python} is no program that can be run")
        for name in names:
            if name not in fitting:
                print(f"{name}: left out: it needs {'a GPU' if COMPARISONS[name].device == 'cuda' else 'a machine without a GPU'}", file=sys.stderr)
                continue
            about = {"machine": machine(), "date": datetime.date.today().isoformat(), "commit": args.commit or commit()}

            def keep(found, name=name, about=about):
                results[name] = about | {"found": found}
                if args.save:
                    args.save.write_text(json.dumps(results))

            measure(COMPARISONS[name], os.path.abspath(finery), os.path.abspath(python), keep)
    for name, result in results.items():
        if not any(whose == "Finery" for whose, _, _ in result["found"]):
            print(f"{name}: Finery did not run, and there is no table", file=sys.stderr)
            continue
        lines = section(COMPARISONS[name], result)
        print(f"\n## {COMPARISONS[name].title}\n" + "\n".join(lines))
        if args.write:
            write(name, lines)
    if not results:
        sys.exit("nothing was measured")


if __name__ == "__main__":
    main()
