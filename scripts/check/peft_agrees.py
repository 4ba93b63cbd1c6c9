"""Does peft agree with what `finery score` said of a model under an adapter?

    finery score --model DIR --adapter ADAPTER --input in.jsonl > out.jsonl
    python scripts/check/peft_agrees.py DIR ADAPTER in.jsonl out.jsonl

As hf_agrees.py, with the adapter loaded by peft. An adapter that does not fit the model (a key too many or too few) fails.
"""

import sys
import warnings

from hf_agrees import arguments, compare, load
from peft import PeftModel


def main():
    args = arguments(__doc__, "model", "adapter")
    with warnings.catch_warnings():
        # peft only warns of missing adapter keys, and leaves those at their initial values.
        warnings.filterwarnings("error", message=".*adapter keys.*")
        model = PeftModel.from_pretrained(load(args.model), args.adapter).eval()
    sys.exit(compare(model, args.model, args))


if __name__ == "__main__":
    main()
