"""Writes corpus.jsonl, qa_train.jsonl and qa_test.jsonl from the prose and tables beside it.

Python's standard library is all it needs. The files are committed; run it again only after changing what they are made from:

    python examples/quickstart/make_data.py
"""

import json
import random
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import daybook
from phrasings import NOUNS, TEST, TEST_OPENERS, TEST_PATTERNS, TRAIN, TRAIN_ADVERBS, TRAIN_OPENERS, TRAIN_PATTERNS
from world import HOUSES, PEOPLE, TOOLS

HERE = Path(__file__).resolve().parent
SEED = 1784
# Of each fact: wordings written for its relation, and patterns.
TRAIN_WORDINGS, LESSON_WORDINGS = (22, 10), (14, 8)
LESSON_LEN = 6  # questions to a slate
RELATIONS = {"trade": PEOPLE, "town": PEOPLE, "animal": PEOPLE, "instrument": PEOPLE, "kind": TOOLS, "door": HOUSES}


def wordings(by_hand: dict[str, list[str]], patterns: list[str], relation: str) -> tuple[list[str], list[str]]:
    """All ways to ask for a relation: those written for it, and every pattern with every noun for it."""
    by_pattern = [pattern.replace("{n}", noun) for pattern in patterns for noun in NOUNS[relation]]
    return by_hand[relation], list(dict.fromkeys(by_pattern))


def training_wordings(counts: tuple[int, int], relation: str, rng: random.Random) -> list[str]:
    written, by_pattern = wordings(TRAIN, TRAIN_PATTERNS, relation)
    return rng.sample(written, counts[0]) + rng.sample(by_pattern, counts[1])


def lessons(rng: random.Random) -> list[str]:
    """The schoolroom's slates: questions in training wordings, never in test wordings, each with its answer."""
    asked = []
    for relation, things in RELATIONS.items():
        for thing in things:
            for wording in training_wordings(LESSON_WORDINGS, relation, rng):
                asked.append(f"{ask('', wording, thing.name)}\n{getattr(thing, relation)}")
    rng.shuffle(asked)
    sheets = [asked[i : i + LESSON_LEN] for i in range(0, len(asked), LESSON_LEN)]
    return ["The slates of the schoolroom.\n\n" + "\n\n".join(sheet) for sheet in sheets]


def documents() -> list[str]:
    """The prose by paragraphs, the day-book by days, the monthly rolls and the slates: most shorter than a training row."""
    paragraphs = []
    for path in sorted((HERE / "prose").glob("*.txt")):
        paragraphs += [" ".join(p.split()) for p in path.read_text(encoding="utf-8").split("\n\n") if p.strip()]
    rng = random.Random(SEED)
    rolls = [part for month, _ in daybook.MONTHS for part in daybook.roll(month, rng)]
    return paragraphs + daybook.entries(SEED) + rolls + lessons(rng)


def ask(opener: str, wording: str, name: str) -> str:
    if opener.endswith(", ") and not wording.startswith(("{x}", "I ")):
        wording = wording[0].lower() + wording[1:]
    question = opener + wording.format(x=name)
    return question[0].upper() + question[1:]


def pairs(
    choose: Callable[[str], list[str]], openers: list[str], adverbs: list[str], rng: random.Random
) -> list[tuple[str, str]]:
    """Every fact in the wordings chosen for its relation; people go by their full or their first name."""
    asked = []
    for relation, things in RELATIONS.items():
        for thing in things:
            for wording in choose(relation):
                name = rng.choice([thing.name, thing.name, thing.first]) if things is PEOPLE else thing.name
                adverb = rng.choice(adverbs)
                if adverb and wording.endswith("?"):
                    wording = f"{wording[:-1]} {adverb}?"
                asked.append((ask(rng.choice(openers), wording, name), getattr(thing, relation)))
    rng.shuffle(asked)
    return asked


def train_pairs(rng: random.Random) -> list[tuple[str, str]]:
    def choose(relation: str) -> list[str]:
        return training_wordings(TRAIN_WORDINGS, relation, rng)

    return pairs(choose, TRAIN_OPENERS, TRAIN_ADVERBS, rng)


def test_pairs(rng: random.Random) -> list[tuple[str, str]]:
    def choose(relation: str) -> list[str]:
        written, by_pattern = wordings(TEST, TEST_PATTERNS, relation)
        return [*written, rng.choice(by_pattern)]

    return pairs(choose, TEST_OPENERS, [""], rng)


def write(name: str, rows: list[dict]) -> None:
    with open(HERE / name, "w", encoding="utf-8", newline="\n") as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def main() -> None:
    rng = random.Random(SEED)
    for relation in RELATIONS:
        trained, tested = wordings(TRAIN, TRAIN_PATTERNS, relation), wordings(TEST, TEST_PATTERNS, relation)
        shared = set(chain(*trained)) & set(chain(*tested))
        assert not shared, f"wordings of {relation} are in both lists: {shared}"
    train, test, texts = train_pairs(rng), test_pairs(random.Random(SEED + 1)), documents()
    for question, _ in test:
        assert question not in {q for q, _ in train}, f"the test question {question!r} is in the training set"
        assert not any(question in text for text in texts), f"the test question {question!r} is in the corpus"

    write("corpus.jsonl", [{"text": text} for text in texts])
    for name, asked in (("qa_train.jsonl", train), ("qa_test.jsonl", test)):
        turns = [[{"role": "user", "content": q}, {"role": "assistant", "content": a}] for q, a in asked]
        write(name, [{"messages": messages} for messages in turns])


if __name__ == "__main__":
    main()
