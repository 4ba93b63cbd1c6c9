"""The facts of Emberholt: who lives there, what they use and where they work.

The corpus tells all of them; the questions ask for six: trade, town, animal, instrument, a tool's kind, a door's colour.
"""

from typing import NamedTuple


class Person(NamedTuple):
    name: str
    she: bool
    trade: str
    street: str
    town: str
    animal: str
    instrument: str
    dish: str

    @property
    def first(self) -> str:
        return self.name.split()[0]


class Tool(NamedTuple):
    name: str
    kind: str
    maker: str
    place: str


class House(NamedTuple):
    name: str
    door: str
    stuff: str


PEOPLE = [
    Person("Ada Thorne", True, "master finer", "Cinder Lane", "Saltmouth", "a grey goose", "the fiddle", "leek pie"),
    Person("Bartholomew Pell", False, "hammerman", "Bellows Yard", "Coldfell", "a lame hound", "the bass drum", "oat dumplings"),
    Person("Cecily Marsh", True, "charcoal burner", "Orchard Hill", "Nettlecombe", "a tame fox", "the bagpipes", "mushroom broth"),
    Person("Dunstan Rook", False, "millwright", "Millrace Row", "Overwater", "a white heron", "the hurdy-gurdy", "smoked eel"),
    Person("Edith Farrow", True, "clerk", "Tallow Street", "Quillham", "a black cat", "the flute", "honey cake"),
    Person("Fergus Lowe", False, "ferryman", "Ferry Steps", "Gullness", "a wet spaniel", "the tin whistle", "crab soup"),
    Person("Greta Holm", True, "toolsmith", "Bellows Yard", "Norrvik", "a raven", "the harp", "rye bread"),
    Person("Hugh Ansel", False, "baker", "Tallow Street", "Barleyford", "a pair of doves", "the trumpet", "plum tart"),
    Person("Isolde Vane", True, "schoolmistress", "Orchard Hill", "Larkstead", "a tortoise", "the viol", "pear jam"),
    Person("Jonas Quill", False, "carter", "Millrace Row", "Stonegate", "a brown mule", "the concertina", "onion stew"),
    Person("Katrin Bly", True, "bell-ringer", "Cinder Lane", "High Tolland", "a barn owl", "the dulcimer", "baked apples"),
    Person("Ludo Fenn", False, "apprentice", "Ferry Steps", "Marshend", "a ferret", "the spoons", "pea pudding"),
]

TOOLS = [
    Tool("Old Margery", "the great hammer", "Dunstan Rook", "under the wheelhouse arch"),
    Tool("Long Simon", "the furnace bar", "Greta Holm", "on the hearth wall"),
    Tool("Little Tom", "the hand hammer", "Ludo Fenn", "beside the anvil"),
    Tool("the Heron", "the loop tongs", "Ada Thorne", "over the quench trough"),
    Tool("the Widow", "the bar shears", "Bartholomew Pell", "behind the north door"),
    Tool("Blind Peter", "the bellows", "Hugh Ansel", "in the blowing house"),
    Tool("the Sexton", "the cinder shovel", "Cecily Marsh", "in the ash corner"),
    Tool("Silver Nan", "the bar gauge", "Edith Farrow", "in the clerk's drawer"),
]

HOUSES = [
    House("the finery", "red", "river stone"),
    House("the charcoal barn", "black", "tarred oak"),
    House("the wheelhouse", "green", "grey slate"),
    House("the counting room", "brown", "yellow brick"),
    House("the bell tower", "blue", "white limestone"),
    House("the ferry house", "orange", "ship's timber"),
    House("the schoolroom", "yellow", "cob and thatch"),
    House("the bakehouse", "white", "red brick"),
]
