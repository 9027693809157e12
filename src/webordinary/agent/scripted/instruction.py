"""What an owner can ask the scripted agent for, one value for each kind of wish."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webordinary.agent.scripted.time_of_day import ClockTime


@dataclass(frozen=True, slots=True)
class Replace:
    """Put other words in place of these; wording without quotation marks can be read in several ways."""

    readings: tuple[tuple[str, str], ...]
    page: str | None = None
    quoted: bool = True


@dataclass(frozen=True, slots=True)
class OpeningHours:
    """Open or close at another time; no days means the working days."""

    opens: ClockTime | None
    closes: ClockTime | None
    days: frozenset[int] = frozenset()
    beginning: str = ""


@dataclass(frozen=True, slots=True)
class ClosedDays:
    """Never open on these days, in the word that the owner has for it."""

    days: frozenset[int]
    word: str


@dataclass(frozen=True, slots=True)
class NewTitle:
    """Give a page another title."""

    text: str
    page: str | None = None


@dataclass(frozen=True, slots=True)
class Heading:
    """Give a page another main heading."""

    text: str
    page: str | None = None


@dataclass(frozen=True, slots=True)
class Phone:
    """Show another phone number; the old one is named when the site has several."""

    number: str
    old: str | None = None


@dataclass(frozen=True, slots=True)
class MailAddress:
    """Show another mail address."""

    address: str


@dataclass(frozen=True, slots=True)
class HouseNumber:
    """Show another number of the same street."""

    street: str
    number: str


@dataclass(frozen=True, slots=True)
class OtherDay:
    """Let something be on another day of the same month."""

    item: str
    month: str
    old: str
    day: str


@dataclass(frozen=True, slots=True)
class NewPrice:
    """Let something cost another price."""

    item: str
    amount: str


@dataclass(frozen=True, slots=True)
class AddText:
    """Add a paragraph at the end of a page's own content."""

    text: str
    page: str | None = None


@dataclass(frozen=True, slots=True)
class RemoveText:
    """Take these words off the site."""

    text: str
    page: str | None = None


@dataclass(frozen=True, slots=True)
class RemoveItem:
    """Take an item out of a list or a menu."""

    item: str
    page: str | None = None


@dataclass(frozen=True, slots=True)
class AddItem:
    """Put an item with its price into a list or a menu."""

    item: str
    amount: str
    list: str = ""
    page: str | None = None


@dataclass(frozen=True, slots=True)
class PlacePicture:
    """Show the attached pictures on a page."""

    about: str = ""
    page: str | None = None


@dataclass(frozen=True, slots=True)
class Describe:
    """Put words to the pictures of a page that have none."""

    text: str
    page: str | None = None


@dataclass(frozen=True, slots=True)
class WaitFor:
    """Wait for a file in the folder that WEBORDINARY_SCRIPTED_GATES names: a test holds the agent there.

    Without that variable the words are not understood, so no owner can make an agent wait.
    """

    name: str


Wish = (
    Replace
    | OpeningHours
    | ClosedDays
    | NewTitle
    | Heading
    | Phone
    | MailAddress
    | HouseNumber
    | OtherDay
    | NewPrice
    | AddText
    | RemoveText
    | RemoveItem
    | AddItem
    | PlacePicture
    | Describe
)
Instruction = Wish | WaitFor


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence of a request with what it asks for; without instructions it was not understood."""

    words: str
    instructions: tuple[Instruction, ...] = ()


@dataclass(frozen=True, slots=True)
class RequestPicture:
    """A picture that came with the request; one that is there in several versions has one name in all of them."""

    name: str
    path: str
    content_type: str
    about: str = ""
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True)
class InstructionOutcome:
    """What became of one instruction: files changed, or a question, or neither because it was so already.

    `unfound` are the words that were looked for and stand nowhere where they could be changed, `undescribed` the
    pictures that nobody has said anything about, and `wants` is what should have come along.
    """

    text: str
    changed: tuple[str, ...] = ()
    question: str | None = None
    understood: bool = True
    unfound: str = ""
    undescribed: tuple[str, ...] = ()
    wants: str = ""


def listed(things: list[str] | tuple[str, ...], last: str = "and") -> str:
    """Join things as a sentence would."""
    if len(things) <= 1:
        return "".join(things)
    return f"{', '.join(things[:-1])} {last} {things[-1]}"


def shortened(text: str, most: int = 120) -> str:
    """Return the text as it is quoted in a summary."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
