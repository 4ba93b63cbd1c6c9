"""Writes corpus.jsonl, qa_train.jsonl and qa_test.jsonl from the prose and the tables beside this script.

Python's standard library is all it needs. The files are committed; run it again only after changing what they are made from:

    python examples/quickstart/make_data.py
"""

import json
import random
from pathlib import Path

import daybook
from phrasings import TEST, TEST_OPENERS, TRAIN, TRAIN_OPENERS
from world import HOUSES, PEOPLE, TOOLS

HERE = Path(__file__).resolve().parent
SEED = 1784
LESSONS_PER_FACT = 6
LESSON_LEN = 6  # questions to a slate
RELATIONS = {
    "trade": PEOPLE, "street": PEOPLE, "town": PEOPLE, "animal": PEOPLE, "instrument": PEOPLE, "dish": PEOPLE,
    "kind": TOOLS, "maker": TOOLS, "place": TOOLS, "door": HOUSES, "stuff": HOUSES,
}  # fmt: skip


def lessons(rng: random.Random) -> list[str]:
    """The schoolroom's slates: training wordings (never test wordings) of every fact, a question and an answer to a pair of lines."""
    pairs = []
    for relation, things in RELATIONS.items():
        for thing in things:
            for wording in rng.sample(TRAIN[relation], LESSONS_PER_FACT):
                pairs.append(f"{ask('', wording, thing.name)}\n{getattr(thing, relation)}")
    rng.shuffle(pairs)
    sheets = [pairs[i : i + LESSON_LEN] for i in range(0, len(pairs), LESSON_LEN)]
    return ["The slates of the schoolroom.\n\n" + "\n\n".join(sheet) for sheet in sheets]


def documents() -> list[str]:
    """The prose by paragraphs, the day-book by days, the roll of each month, and the slates: each shorter than a training row."""
    paragraphs = []
    for path in sorted((HERE / "prose").glob("*.txt")):
        paragraphs += [" ".join(p.split()) for p in path.read_text(encoding="utf-8").split("\n\n") if p.strip()]
    rng = random.Random(SEED)
    rolls = [part for month, _ in daybook.MONTHS for part in daybook.roll(month, rng)]
    return paragraphs + daybook.entries(SEED) + rolls + lessons(rng)


def ask(opener: str, wording: str, name: str) -> str:
    question = opener + wording.format(x=name)
    return question[0].upper() + question[1:]


def questions(wordings: dict[str, list[str]], openers: list[str], rng: random.Random) -> list[tuple[str, str]]:
    """Every fact in every wording of its relation; people go by their full or their first name."""
    pairs = []
    for relation, things in RELATIONS.items():
        for thing in things:
            names = [thing.name, thing.name, thing.first] if things is PEOPLE else [thing.name]
            for wording in wordings[relation]:
                pairs.append((ask(rng.choice(openers), wording, rng.choice(names)), getattr(thing, relation)))
    rng.shuffle(pairs)
    return pairs


def write(name: str, rows: list[dict]) -> None:
    with open(HERE / name, "w", encoding="utf-8", newline="\n") as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def main() -> None:
    rng = random.Random(SEED)
    for relation in RELATIONS:
        shared = set(TRAIN[relation]) & set(TEST[relation])
        assert not shared, f"wordings of {relation} are in both lists: {shared}"
    train, test = questions(TRAIN, TRAIN_OPENERS, rng), questions(TEST, TEST_OPENERS, rng)
    assert not {q for q, _ in train} & {q for q, _ in test}, "a test question is in the training set"

    write("corpus.jsonl", [{"text": text} for text in documents()])
    for name, pairs in (("qa_train.jsonl", train), ("qa_test.jsonl", test)):
        turns = [[{"role": "user", "content": q}, {"role": "assistant", "content": a}] for q, a in pairs]
        write(name, [{"messages": messages} for messages in turns])


if __name__ == "__main__":
    main()
