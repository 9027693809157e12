"""From the words of an owner to instructions; what is not understood is kept as such, never guessed."""

# ruff: noqa: RUF001 - people and pages write curly marks and long dashes, and so do the patterns

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from webordinary.agent.scripted import wishes
from webordinary.agent.scripted.hours_said import closed_said, hours_said, is_in_doubt, names_opening_hours
from webordinary.agent.scripted.instruction import Instruction, PlacePicture, Replace, Said
from webordinary.agent.scripted.sentences import QuotedSentence, sentences
from webordinary.agent.scripted.time_of_day import find_times
from webordinary.languages import ENGLISH, any_of
from webordinary.mail.words.signature import is_contact_line

# No owner writes so long a sentence or so many: what a stranger may send is not worth the patterns' time.
_LONGEST_SENTENCE = 1_000
_MOST_SENTENCES = 400
_POLITE = re.compile(
    r"(?:(?:and|also|then|so|now|oh|ok|okay|next|first|second|third|finally|lastly|btw|p\.?\s?s\.?)\b[.,:]?\s"
    rf"|(?P<asked>{any_of(lambda each: each.agent.polite)})\b,?\s)+",
    re.IGNORECASE,
)
_AFTERWARDS = re.compile(
    rf",?\s(?:{any_of(lambda each: each.agent.polite_last)})\Z",
    re.IGNORECASE,
)
_AND = any_of(lambda each: each.letters.and_)
# Of our own language not all of them: "and correct" begins no wish.
_CHANGE_ELSEWHERE = any_of(lambda each: "" if each is ENGLISH else each.agent.change)
_NEXT_WISH = re.compile(
    rf"(?:,\s|;\s|\s)(?:{_AND})\s(?:also\s|then\s|please\s)*"
    rf"(?=(?:set|add|remove|delete|put|change|replace|update|rename|{_CHANGE_ELSEWHERE})\s"
    r"|here(?:['’]?s|\sis|\sare)\s|(?:i|we)(?:['’]ve|\shave)?\s(?:attach|attached)\s)"
    r"|[,;]\s(?=(?:the\s|a\s)?(?:photo|picture|image)s?\s|here(?:['’]?s|\sis|\sare)\s|see\sattached|attached\s"
    r"|(?:please\s)?(?:change|replace|set|add|remove|delete|put|update|rename)\s)"
    r"|;\s",
    re.IGNORECASE,
)
_INTRODUCTION = re.compile(
    r".*\b(?:following|changes?|updates?|times|these|things|below|list|news|prices?|this"
    rf"|{any_of(lambda each: each.agent.about_hours)})\b.{{0,40}}:",
    re.IGNORECASE,
)
# Beside a wish that says what, these say only that; alone they are not understood.
_ANNOUNCEMENT = re.compile(
    r"(?:(?:and|so|please|kindly|could\syou|can\syou|would\syou)\s){0,4}(?:update|change|adjust|correct|fix)\s"
    r"(?:(?:this|that|it|the|our|new|opening|hours|times|prices?|website|web|site|pages?|on|accordingly|please)\W{0,2}){1,9}"
    r"|(?:our|the)\s(?:[\w]+\s){1,3}(?:has|have)\s(?:just\s|recently\s)?changed"
    r"|(?:we|i)\shave\s(?:some\s|a\s|a\sfew\s)?(?:small\s|new\s)*(?:changes?|news|updates?|opening\s(?:hours|times))",
    re.IGNORECASE,
)
_CONTACTS = any_of(lambda each: each.site.speaks_of_phone, lambda each: each.site.speaks_of_mail).split("|")
# The labels of a card ask for nothing.
_ASKED = "|".join(each for each in _CONTACTS if each not in {"fax", r"tel\b", r"fon\b"})
_ASKS_FOR_CONTACT = re.compile(rf":\Z|\bcontact|\bkontakt|{_ASKED}", re.IGNORECASE)
_CLAUSE = re.compile(rf",?\s(?:{_AND})\s|[,;]\s", re.IGNORECASE)
_MOST_CLAUSES = 12
_Reader = Callable[[QuotedSentence, str], tuple[Instruction, ...]]
_PLAIN: tuple[_Reader, ...] = (
    wishes.wait_wish,
    wishes.quoted_change,
    wishes.said_and_meant,
    wishes.item_addition,
    wishes.added_text,
    wishes.removed_text,
    wishes.picture_wish,
)
_LOOSE: tuple[_Reader, ...] = (
    wishes.named_part,
    wishes.price_wish,
    wishes.phone_wish,
    wishes.mail_wish,
    wishes.address_wish,
    wishes.other_day,
    wishes.corrected,
    wishes.renamed_item,
    wishes.open_change,
    wishes.item_removal,
)
# Neither quoted and forwarded lines are wishes, nor the place of a picture, nor what the owner crossed out.
_NOT_SAID = re.compile(r"^[ \t]*>.*$|\[picture: [^\]\n]{1,80}\]|\[struck out: [^\]\n]{1,2000}\] ?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Place:
    """What the words around a clause say about it."""

    in_a_list: bool
    in_doubt: bool


def understand(request: str) -> list[Said]:
    """Return each sentence of a request that carries a wish, with what it asks for, in order."""
    said: list[Said] = []
    opened_a_list = False
    before: str | None = None
    for number, sentence in enumerate(sentences(_NOT_SAID.sub("", request))):
        above, before = before, sentence.text
        if above is not None and is_contact_line(sentence.text) and not _ASKS_FOR_CONTACT.search(above):
            # "Tel. 0171 5551234" below a name belongs to a signature.
            continue
        if len(sentence.text) > _LONGEST_SENTENCE or number >= _MOST_SENTENCES:
            said.append(Said(sentence.spoken()))
            continue
        found = _read(sentence, in_a_list=opened_a_list)
        if _INTRODUCTION.fullmatch(sentence.text) and not any(each.instructions for each in found):
            opened_a_list = names_opening_hours(sentence.text)
            continue
        opened_a_list = opened_a_list and any(each.instructions for each in found)
        said += found
    if not any(each.instructions for each in said):
        return said
    said = _one_place(said)
    return [each for each in said if each.instructions or not _ANNOUNCEMENT.fullmatch(each.words.rstrip(" .!?:"))]


def _one_place(said: list[Said]) -> list[Said]:
    """Join "here is a photo of …" and "put it on …": one wish, although two clauses say it."""
    placed = [wish for each in said for wish in each.instructions if isinstance(wish, PlacePicture)]
    nowhere = [wish for wish in placed if wish.page is None and wish.about]
    somewhere = [wish for wish in placed if wish.page is not None and not wish.about]
    if len(placed) != len(nowhere) + len(somewhere) or len(nowhere) != 1 or len(somewhere) != 1:
        return said
    both = PlacePicture(nowhere[0].about, somewhere[0].page)
    joined = {nowhere[0]: (), somewhere[0]: (both,)}
    found = [replace(each, instructions=_joined(each.instructions, joined)) for each in said]
    return [new for new, old in zip(found, said, strict=True) if new.instructions or not old.instructions]


def _joined(
    instructions: tuple[Instruction, ...], joined: Mapping[PlacePicture, tuple[Instruction, ...]]
) -> tuple[Instruction, ...]:
    return tuple(
        wish for each in instructions for wish in (joined[each] if isinstance(each, PlacePicture) else (each,))
    )


def _read(sentence: QuotedSentence, *, in_a_list: bool) -> list[Said]:
    # "Tomorrow, we open at ten": a clause must not lose the doubt that stands in another one.
    place = _Place(in_a_list=in_a_list, in_doubt=is_in_doubt(sentence.text))
    parts = [QuotedSentence(part, sentence.quotes) for part in _NEXT_WISH.split(sentence.text)]
    found = [said for part in parts for said in _read_part(part, place)]
    if any(each.instructions for each in found):
        return found
    # A sentence that only makes sense as a whole: "change cakes and add-ons to pies".
    return [Said(sentence.spoken(), _instructions(sentence, place))]


def _read_part(part: QuotedSentence, place: _Place) -> list[Said]:
    instructions = _instructions(part, place)
    whole = [Said(part.spoken(), instructions)]
    if _are_firm(instructions):
        return whole
    clauses = [QuotedSentence(text, part.quotes) for text in _CLAUSE.split(part.text, _MOST_CLAUSES) if text.strip()]
    found = [Said(clause.spoken(), _instructions(clause, place)) for clause in clauses]
    # "We open at nine and at ten": half of it would be a guess.
    guess = any(_names_a_time(each.words) and not each.instructions for each in found)
    # Only a clause that was understood makes its neighbours worth naming one by one.
    return found if any(_are_firm(each.instructions) for each in found) and not guess else whole


def _are_firm(instructions: tuple[Instruction, ...]) -> bool:
    # A change without quotation marks would swallow the rest of its sentence, so it is the last way to read one.
    return any(not isinstance(each, Replace) or each.quoted for each in instructions)


def _names_a_time(words: str) -> bool:
    return any(time.prep or not time.plain for time in find_times(words))


def _instructions(sentence: QuotedSentence, place: _Place) -> tuple[Instruction, ...]:
    polite = _POLITE.match(sentence.text)
    asked = bool(polite and polite["asked"])
    question = sentence.text.rstrip(" .!…").endswith("?") and not asked
    text = _bare(sentence.text[polite.end() :] if polite else sentence.text)
    if not text or question:
        return ()
    return (
        _first(_PLAIN, sentence, text)
        or (() if place.in_doubt else hours_said(text, in_a_list=place.in_a_list) or closed_said(text))
        or _first(_LOOSE, sentence, text)
    )


def _first(kinds: tuple[_Reader, ...], sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    return next((found for kind in kinds if (found := kind(sentence, text))), ())


def _bare(text: str) -> str:
    text = text.strip().rstrip(" .!?…,;")
    while match := _AFTERWARDS.search(text[-40:]):
        text = text[: len(text) - len(match[0])].rstrip(" .!?…,;")
    return text
