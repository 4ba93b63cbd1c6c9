"""The day-book of the finery: an entry for every other day of a year, drawn from sentences with a fixed seed.

Sentences are dealt like cards, so that every one is used before any comes back.
"""

import random

from world import HOUSES, PEOPLE, TOOLS, House, Person, Tool

MONTHS = [
    ("January", 31), ("February", 28), ("March", 31), ("April", 30), ("May", 31), ("June", 30),
    ("July", 31), ("August", 31), ("September", 30), ("October", 31), ("November", 30), ("December", 31),
]  # fmt: skip
ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth "
    "twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
).split()
COUNTS = ["three", "four", "five", "six", "seven", "eight", "nine", "ten"]

WEATHER = {
    "winter": [
        "Hard frost; we broke the ice in the quench trough before the first heat.",
        "Snow to the knee in the yard and a path dug to the charcoal barn.",
        "Fog so thick that the bell was rung each hour for the ferry.",
        "A still, iron-grey day, and the smoke stood up like a post.",
        "The wheel was hung with icicles and had to be knocked free with mallets.",
        "Sleet from the north, and nobody sorry to stand near the hearth.",
        "Clear and bitter; the stars were out before the fires were banked.",
        "A thaw at last, and every roof dripping on every collar.",
    ],
    "spring": [
        "Rain in the night and the Wend running high and brown.",
        "A soft morning with the first swallows about the wheelhouse.",
        "Wind and sun by turns; the washing of the whole lane blew into the pond.",
        "Mist on the water meadows, gone before the second heat.",
        "Warm enough to work in shirts, and the doors stood open.",
        "Blossom on the hill and a cuckoo that would not leave off.",
        "Showers all day, each one just as the carts were uncovered.",
        "The flood gates were opened a hand's breadth to ease the leat.",
    ],
    "summer": [
        "Heat from the sky and heat from the hearth, and small beer for all.",
        "The river is so low that the wheel turned like an old man rising.",
        "Thunder after noon; we covered the charcoal in good time.",
        "A long blue day, and the swifts screaming over the tower.",
        "No wind at all, and the cinders lay where they fell.",
        "Hay carts in the street and hardly a hand to be had.",
        "Bright early, then a haze, and the hills looked like paper.",
        "A dry wind; the sparks were watched from the roof with buckets.",
    ],
    "autumn": [
        "Leaves in the leat again, and the rack cleared twice.",
        "A golden day and the whole town smelling of apples.",
        "Gales; two slates came off the wheelhouse and no one was under them.",
        "Grey and mild, with geese going over toward the sea.",
        "The first fire was lit in the counting room.",
        "Rain without a stop and the yard a pudding.",
        "Cold at dawn, with cobwebs on every rail.",
        "A red sunrise, which the ferry took for a warning and was right.",
    ],
}

WORK = [
    "We made {n} loops before the bell and shingled them all.",
    "{N} loops brought out, one of them short and sent back to the fire.",
    "The blast was weak until the leather of the bellows was oiled; {n} loops all the same.",
    "The new pigs melt slowly and come grey; {n} loops, and good ones.",
    "Drew {n} anconies into bar and stacked them under the dry roof.",
    "The hearth was patched with clay in the morning, so only {n} heats.",
    "Tapped the cinder {n} times; it ran thin and clean.",
    "A pig of bad iron spoiled the second heat; {n} loops from the rest.",
    "{N} bars went through the gauge and none was turned away.",
    "The chafery took {n} anconies and gave back {n} straight bars.",
    "A quiet day of mending: tuyere scraped, plates turned, {n} hoops forged for the coopers.",
    "The hammer broke a helve wedge at noon; {n} loops were kept hot until it was set.",
    "{N} hundredweight of bar weighed out and written down.",
    "Hammer scale swept up and saved for the next melt; {n} loops made.",
    "The iron came to nature early and we had {n} loops out by candle time.",
    "Too much blast in the first heat; the next {n} were watched closely and came soft.",
]

PERSON = {
    "trade": [
        "{x}, our {trade}, was the first at work.",
        "Paid {x}, {trade}, the week's wages.",
        "{x} showed a visitor what a {trade} does, and was thanked for it.",
        "There was need of a {trade}, so {x} was sent for.",
        "Nobody in the valley works harder as {trade} than {x}.",
        "{x} says that the job of {trade} is learned with the feet as much as the hands.",
        "As {trade}, {x} has the right to speak first at the month's meeting, and did.",
    ],
    "street": [
        "{x} walked home to {street} with a lantern.",
        "A letter for {x} was carried to {street}.",
        "There was a light late in the window of {x}'s house in {street}.",
        "The chimney of {x}'s house in {street} was swept.",
        "{x} lives in {street} and heard the noise from there.",
        "Went to the home of {x}, in {street}, to settle the matter of the ladder.",
        "{x} has planted beans by the front step in {street}.",
    ],
    "town": [
        "{x} had news from {town}, where the family still lives.",
        "A cousin of {x} came on the coach from {town}.",
        "{x}, who was born in {town}, says that such weather is nothing there.",
        "{x} told the children about growing up in {town}.",
        "They do it otherwise in {town}, says {x}, who comes from there.",
        "A parcel came for {x} from the old home town, {town}.",
        "{x} has not been back to {town} since leaving it to come to Emberholt.",
    ],
    "animal": [
        "{x}'s pet, {animal}, got into the yard and was chased out.",
        "{x} came to work with {animal} close behind, as always.",
        "The children brought scraps for {animal} that {x} keeps.",
        "{x} sat on the wall at noon and shared the bread with {animal}.",
        "Something had frightened {x}'s animal, {animal}, and it hid under the cart.",
        "A stranger laughed to see {x} talking to {animal}, and then saw it answer.",
        "{x} keeps {animal}, which was found asleep in the warm ash.",
    ],
    "instrument": [
        "In the evening {x} played {instrument} on the step.",
        "The band met in the barn, and {x} brought {instrument}.",
        "{x} has mended {instrument} and is heard practising.",
        "There was a dance, with {x} playing {instrument} until late.",
        "{x} lent {instrument} to nobody, though asked by three.",
        "Somebody asked for music, so {x} went home for {instrument}.",
        "{x} is teaching a neighbour to play {instrument}, to the sorrow of the street.",
    ],
    "dish": [
        "{x} had {dish} for supper and said there was none better.",
        "It was {x}'s birthday, so there was {dish} for all.",
        "{x} traded an hour's work for {dish}.",
        "The inn had {dish}, which {x} likes best, and {x} stayed for two helpings.",
        "{x} brought {dish} in a covered bowl and ate it by the hearth.",
        "The smell of {dish} drew {x} home early.",
        "{x} would walk to the sea and back for {dish}.",
    ],
}

TOOL = [
    "{X} was put back in the right place, {place}.",
    "{X}, {kind}, was cleaned and greased.",
    "A boy asked who made {x}, and was told: {maker}.",
    "{X} was missing for an hour and was then found {place}, where it is kept.",
    "{maker} came to look at {x}, being the maker, and was content with it.",
    "We could not have done it without {x}, {kind}.",
    "{X}, {kind} that {maker} made, needs a new pin.",
    "The visitors were shown {x}, {kind}, {place}.",
    "{maker} made {x} well: {kind} has outlasted two roofs.",
]

HOUSE = [
    "The door of {x} was painted again, {door} as it always was.",
    "Two carts of {stuff} were brought to mend the wall of {x}.",
    "A pedlar was told to knock at the {door} door, which is {x}.",
    "The mason says that {stuff} lasts, and that {x} will stand for ever.",
    "Wind slammed the {door} door of {x} and cracked a pane.",
    "The children drew {x} with its {door} door and its walls of {stuff}.",
    "{X}, built of {stuff}, stayed cool all day.",
    "Frost has not hurt {x}, since it is built of {stuff}.",
]

CLOSING = [
    "Fires banked at eight.",
    "All tools counted and in their places.",
    "Nothing more to set down.",
    "The ledger agrees with the stack, for once.",
    "Bell rung, doors barred, good night.",
    "Tomorrow the carts go early.",
    "A good day, and the bread was still warm at the end of it.",
    "The cat has slept on this page and is to blame for the blot.",
    "We are short of charcoal and not of company.",
    "So ends the page.",
    "The watch was kept by whoever could not sleep.",
    "Everyone went home with ten fingers.",
]


class Deck:
    """Cards dealt in random order, and shuffled again when all have been dealt."""

    def __init__(self, cards: list, rng: random.Random):
        self.cards, self.rng, self.left = list(cards), rng, []

    def deal(self):
        if not self.left:
            self.left = self.rng.sample(self.cards, len(self.cards))
        return self.left.pop()


def capital(text: str) -> str:
    return text[0].upper() + text[1:]


def season(month: int) -> str:
    return ["winter", "spring", "summer", "autumn"][(month + 1) % 12 // 3]


def about_person(person: Person, relation: str, sentence: str) -> str:
    return sentence.format(x=person.name, **{relation: getattr(person, relation)})


def about_tool(tool: Tool, sentence: str) -> str:
    return sentence.format(x=tool.name, X=capital(tool.name), kind=tool.kind, maker=tool.maker, place=tool.place)


def about_house(house: House, sentence: str) -> str:
    return sentence.format(x=house.name, X=capital(house.name), door=house.door, stuff=house.stuff)


def roll(month: str, rng: random.Random) -> list[str]:
    """The roll called on the first of the month: a card for each person, tool and house, one particular to a line."""
    cards = [[p.name, p.trade, p.street, p.town, p.animal, p.instrument, p.dish] for p in PEOPLE]
    cards += [[capital(t.name), t.kind, t.maker, t.place] for t in TOOLS]
    cards += [[capital(h.name), h.door, h.stuff] for h in HOUSES]
    lines = ["\n".join(card) for card in rng.sample(cards, len(cards))]
    return [f"Roll for {month}.\n\n" + "\n\n".join(lines[i : i + 7]) for i in range(0, len(lines), 7)]


def entries(seed: int) -> list[str]:
    """The year's entries, in order."""
    rng = random.Random(seed)
    weather = {name: Deck(lines, rng) for name, lines in WEATHER.items()}
    work, closing = Deck(WORK, rng), Deck(CLOSING, rng)
    people = Deck([(person, relation) for person in PEOPLE for relation in PERSON], rng)
    told = {relation: Deck(lines, rng) for relation, lines in PERSON.items()}
    tools, tool_lines = Deck(TOOLS, rng), Deck(TOOL, rng)
    houses, house_lines = Deck(HOUSES, rng), Deck(HOUSE, rng)

    pages = []
    for month, (name, days) in enumerate(MONTHS):
        for day in range(0, days, 2):
            lines = [f"The {ORDINALS[day]} of {name}.", weather[season(month)].deal()]
            n = rng.choice(COUNTS)
            middle = [work.deal().format(n=n, N=capital(n))]
            for _ in range(3):
                person, relation = people.deal()
                middle.append(about_person(person, relation, told[relation].deal()))
            middle.append(about_tool(tools.deal(), tool_lines.deal()))
            if day % 4 == 0:
                middle.append(about_house(houses.deal(), house_lines.deal()))
            rng.shuffle(middle)
            pages.append(" ".join([*lines, *middle, closing.deal()]))
    return pages
