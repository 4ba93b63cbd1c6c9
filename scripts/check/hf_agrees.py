"""Does transformers agree with what `finery score` said of a model folder?

    finery score --model DIR --input in.jsonl > out.jsonl
    python scripts/check/hf_agrees.py DIR in.jsonl out.jsonl

A line of in.jsonl has "tokens" or "text"; the same line of out.jsonl has "tokens" and "logprobs" (one for each token after
the first; a null for the first is allowed). Prints the greatest difference; exits with 1 above the tolerance, or when the
tokens differ. Needs scripts/fixtures/requirements.txt.
"""

import argparse
import json
import math
import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer


def arguments(doc, *folders):
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    for folder in folders:
        parser.add_argument(folder)
    parser.add_argument("input", help="what finery score read")
    parser.add_argument("output", help="what finery score wrote")
    parser.add_argument("--tolerance", type=float, default=1e-4)
    return parser.parse_args()


def rows(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def logprobs(model, tokens):
    with torch.no_grad():
        scores = model(torch.tensor([tokens]), use_cache=False).logits[0, :-1].double().log_softmax(-1)
    return scores.gather(1, torch.tensor(tokens[1:])[:, None])[:, 0].tolist()


def compare(model, folder, args):
    """Exit status of the comparison of every line."""
    asked, answered = rows(args.input), rows(args.output)
    if len(asked) != len(answered):
        sys.exit(f"{args.input} has {len(asked)} lines and {args.output} has {len(answered)}")
    if not asked:
        sys.exit(f"{args.input} has no lines, so there is nothing to compare")
    tokenizer = AutoTokenizer.from_pretrained(folder) if any("tokens" not in row for row in asked) else None
    greatest, where = 0.0, 1
    for number, (question, answer) in enumerate(zip(asked, answered), start=1):
        tokens = question["tokens"] if "tokens" in question else tokenizer(question["text"]).input_ids
        if answer["tokens"] != tokens:
            sys.exit(f"line {number}: tokens differ: expected {tokens}, got {answer['tokens']}")
        got = [value for value in answer["logprobs"] if value is not None]
        if len(got) != len(tokens) - 1:
            sys.exit(f"line {number}: {len(tokens)} tokens have {len(tokens) - 1} log-probabilities, got {len(got)}")
        for a, b in zip(got, logprobs(model, tokens)):
            difference = abs(a - b) if math.isfinite(a - b) else math.inf
            if difference > greatest:
                greatest, where = difference, number
    print(f"greatest difference {greatest:.2e} (line {where}) over {len(asked)} lines")
    return 0 if greatest <= args.tolerance else 1


def load(folder):
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()


def main():
    args = arguments(__doc__, "model")
    sys.exit(compare(load(args.model), args.model, args))


if __name__ == "__main__":
    main()
