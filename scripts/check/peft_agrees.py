"""Does peft agree with what `finery score` said of a model under an adapter?

    finery score --model DIR --adapter ADAPTER --input in.jsonl > out.jsonl
    python scripts/check/peft_agrees.py DIR ADAPTER in.jsonl out.jsonl

As hf_agrees.py, with the adapter loaded by peft. An adapter with a tensor too many or too few for the model fails: peft itself
only warns of the one and ignores the other.
"""

import sys
from pathlib import Path

from hf_agrees import arguments, compare, load
from peft import PeftModel, get_peft_model_state_dict
from safetensors import safe_open


def main():
    args = arguments(__doc__, "model", "adapter")
    model = PeftModel.from_pretrained(load(args.model), args.adapter).eval()
    with safe_open(Path(args.adapter) / "adapter_model.safetensors", "pt") as file:
        unmatched = set(file.keys()) ^ set(get_peft_model_state_dict(model, save_embedding_layers=False))
    if unmatched:
        sys.exit(f"{args.adapter}: tensors that only the file or only the model has: {sorted(unmatched)}")
    sys.exit(compare(model, args.model, args))


if __name__ == "__main__":
    main()
