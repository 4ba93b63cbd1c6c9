#!/usr/bin/env python3
"""Checks that TensorBoard's own reader sees in a run folder's event files exactly what its metrics.jsonl says.

    pip install tensorboard            # written against 2.21
    scripts/check/tensorboard_reads.py [RUN_DIR]

Without an argument it reads the golden run of crates/train/tests/metrics.rs, which resumes once, so that steps 5 to 9
were written twice.
"""

import json
import math
import struct
import sys
from pathlib import Path

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

GOLDEN = Path(__file__).parents[2] / "crates/train/tests/fixtures/metrics"
# What a line says of itself, and no curve is drawn of; of a step `tokens` is one.
PLACE_KEYS = {"step", "time"}
DEVICE_PLACE_KEYS = PLACE_KEYS | {"device", "tokens", "seconds", "samples"}


def f32(value: float | None) -> float:
    """As event files have it. What is not finite is `null` in the other file."""
    try:
        value = math.nan if value is None else struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.nan
    return value if math.isfinite(value) else math.nan


def tags_of(record: dict) -> dict[str, str]:
    """The tag of each key of a line, as docs/metrics.md has them."""
    if "device" in record:
        return {key: f"hardware/{record['device']}/{key}" for key in record.keys() - DEVICE_PLACE_KEYS}
    for kind, mark in (("eval", "eval_loss"), ("save", "save_bytes")):
        if mark in record:
            return {key: key.replace("_", "/", 1) for key in record if key.startswith(f"{kind}_")}
    return {key: f"train/{key}" for key in record.keys() - PLACE_KEYS}


def expected_scalars(metrics: Path) -> dict[str, list[tuple[int, float, float]]]:
    scalars: dict[str, list[tuple[int, float, float]]] = {}
    for line in metrics.read_text().splitlines():
        record = json.loads(line)
        for key, tag in tags_of(record).items():
            scalars.setdefault(tag, []).append((record["step"], record["time"], f32(record[key])))
    return scalars


def main() -> None:
    run = Path(sys.argv[1]) if len(sys.argv) > 1 else GOLDEN
    accumulator = EventAccumulator(str(run), size_guidance={"scalars": 0})
    accumulator.Reload()
    expected = expected_scalars(run / "metrics.jsonl")
    found_tags = sorted(accumulator.Tags()["scalars"])
    if not expected or found_tags != sorted(expected):
        sys.exit(f"{run}: TensorBoard sees the tags {found_tags}, metrics.jsonl has {sorted(expected)}")
    for tag, rows in expected.items():
        found = [(event.step, event.wall_time, f32(event.value)) for event in accumulator.Scalars(tag)]
        if repr(found) != repr(rows):  # repr, so that NaN equals NaN
            sys.exit(f"{run}: {tag}: TensorBoard sees {found}, metrics.jsonl has {rows}")
    print(f"{run}: TensorBoard agrees on {len(expected)} tags, {sum(map(len, expected.values()))} values")


if __name__ == "__main__":
    main()
