"""A request as its sentences, without greetings, thanks and signatures, quoted words kept apart."""

# ruff: noqa: RUF001 - people and pages write curly marks and long dashes, and so do the patterns

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from webordinary.languages import any_of

# Quoted words travel through every pattern as one mark, so that no pattern can trip over what is in them.
_MARKS = "\ue000\ue001"
QUOTE = r"\ue000(?:\d+)\ue001"
_MARK = re.compile(r"\ue000(\d+)\ue001")
# No pattern may look past the next opening mark: that keeps a page full of opening marks linear.
_QUOTED = re.compile(
    r"\"(?P<a>[^\"]*)\"|„(?P<b>[^„“”\"]*)[“”\"]|[“”](?P<c>[^“”]*)”|«(?P<d>[^«»]*)»|»(?P<e>[^«»]*)«|`(?P<f>[^`]*)`"
    r"|‘(?P<g>(?:[^‘’]|(?<=\w)’(?=\w))*)’(?!\w)"
    r"|(?<!\w)'(?P<h>(?:[^']|(?<=\w)'(?=\w))*)'(?!\w)"
)
_BULLET = re.compile(r"(?:[-*•–·+]|\d{1,2}[.)])\s+")
_STOP = re.compile(r"(?<![.!?…])[.!?…]++(?=\s)")
_SMILE = re.compile(r"\s?(?:(?<=\s)[:;]-?[)(DP](?!\S)|[\u263a\u2764\ufe0f\U0001f300-\U0001faff]+(?!\S))")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun|st|nr|no|tel|mr|mrs|ms|dr|e\.g|i\.e|z\.b|approx|ca"
    r"|lun|mar|mer|jeu|ven|sam|dim|mo|di|mi|fr|sa|p\.s|[a-z])$",
    re.IGNORECASE,
)
_HALF_DAY = re.compile(r"[\d\s][ap]\.\s?m$", re.IGNORECASE)
_WRAPPED = 60
_LONGEST_SIGNATURE = 3

_GREETING = re.compile(
    rf"(?:grüezi|{any_of(lambda each: each.letters.greetings)})"
    r"(?:\s(?!(?:we|please|can|could|our|from|wir|bitte|nous|change|replace|add|put|set|the\snew)\b)"
    r"[^\W\d_][\w'’.&-]{0,30}){0,3}?\s?(?:[,!:.–-]+\s*|$)",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:--+|—|_{2,}"
    rf"|all the best|amicalement|yours\s\w+|{any_of(lambda each: each.letters.sign_offs)}"
    r"|(?:sent|gesendet|envoyé|enviado)\s(?:from|von|de|depuis|desde)\s(?:my|mein\w*|mon|mi)\s.{0,40})"
    r"(?:[,.!]+(?:\s[\w .'’&-]{0,40})?|\s(?-i:[A-Z])\w{0,20})?",
    re.IGNORECASE,
)
_SOFT_CLOSING = re.compile(
    rf"(?:thx|dank\w*|muchas\sgracias|{any_of(lambda each: each.letters.thanks)})"
    r"(?:\s(?:so\smuch|a\slot|in\sadvance|again|im\svoraus|d['’]avance))?(?:[,.!]+(?:\s?[\w .'’&-]{0,40})?)?",
    re.IGNORECASE,
)
_NAME = re.compile(r"[A-ZÄÖÜÉ][\w'’.-]{0,30}(?:\s(?:&\s)?[A-ZÄÖÜÉ][\w'’.-]{0,30}){0,3}")
_POSTSCRIPT = re.compile(r"p\.?\s?s\b\.?:?\s*", re.IGNORECASE)
_PLEASANTRY = re.compile(
    rf"(?:many\s|vielen\s|herzlichen\s|muchas\s)?(?:thx|dank|cheers|{any_of(lambda each: each.letters.thanks)})\b"
    r"(?!\s(?:we|please|but)\b)[^,;:]{0,80}(?:,\s(?-i:[A-Z])\w{0,20}){0,2}"
    r"|(?:i\s)?hope\s(?:you|this|that|all)\b[^,;:]{0,80}|how\sare\syou\b.*|have\sa\s(?:nice|good|great|lovely)\b.*"
    r"|(?:that['’]?s|that\sis)\s(?:all|it)\b.*|let\s(?:me|us)\sknow\b.*|see\syou\b.*|talk\ssoon\b.*"
    r"|as\s(?:discussed|agreed)\b.{0,40}|(?:and\s)?(?:please|bitte|s['’]il\s(?:vous|te)\spla[iî]t|por\sfavor)"
    r"|(?:ok|okay|great|perfect|super|wonderful|yes|no\sproblem|no\srush|asap)",
    re.IGNORECASE,
)
_ADD_LEAD = re.compile(
    r"[^:\ue000]{0,60}\badd\b[^:\ue000]{0,60}\b(?:paragraph|sentence|text|line|note|following)\b[^:\ue000]{0,60}:"
    r"|[^:\ue000]{0,60}\badd\s(?:to|on)\b[^:\ue000]{1,60}:",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class QuotedSentence:
    """One sentence with a mark for each quoted passage."""

    text: str
    quotes: tuple[str, ...]

    def plain(self, text: str | None = None) -> str:
        """Return a part of the sentence with the quoted words in place of their marks."""
        part = self.text if text is None else text
        return _MARK.sub(lambda match: self.quotes[int(match[1])], part).strip()

    def spoken(self) -> str:
        """Return the sentence as it was written, to be quoted back."""
        return _MARK.sub(lambda match: f"“{self.quotes[int(match[1])]}”", self.text).strip()


def sentences(request: str) -> list[QuotedSentence]:
    """Return the sentences of a request that can carry a wish."""
    found: list[QuotedSentence] = []
    for paragraph in _paragraphs(_clean(request)):
        masked, quotes = _masked(paragraph)
        lines, quotes = _with_texts_to_add(masked.split("\n"), quotes)
        kept = tuple(quotes)
        for line in lines:
            found += [QuotedSentence(text, kept) for text in _split(_without_greeting(line))]
    return [each for each in found if not _PLEASANTRY.fullmatch(each.text.rstrip(" .!,?:"))]


def _clean(request: str) -> str:
    text = request.encode("utf-8", "replace").decode("utf-8")
    text = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n")
    return "".join(" " if _is_noise(letter) else letter for letter in text)


def _is_noise(letter: str) -> bool:
    # Joiners hold letters and faces together; other unseen characters have no place on a page.
    kept = letter in "\n\t\u200c\u200d"
    return letter in _MARKS or (not kept and unicodedata.category(letter) in {"Cc", "Cf", "Cs"})


def _paragraphs(text: str) -> list[str]:
    lines = _without_signature([" ".join(line.split()) for line in text.split("\n")])
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if line and not line.startswith(">"):
            paragraphs[-1].append(line)
        # The text that is to be added often stands in a paragraph of its own.
        elif not line and not (paragraphs[-1] and _ADD_LEAD.fullmatch(paragraphs[-1][-1])):
            paragraphs.append([])
    return ["\n".join(_unwrapped(each)) for each in paragraphs if each]


def _unwrapped(lines: list[str]) -> list[str]:
    joined: list[str] = []
    last = ""
    for line in lines:
        bullet = _BULLET.match(line)
        # Mail programs wrap long lines: only a full line without a full stop goes on in the next one.
        if len(last) >= _WRAPPED and last[-1] not in ".!?:" and not bullet:
            joined[-1] += f" {line}"
        else:
            joined.append(line[bullet.end() :] if bullet else line)
        last = line
    return joined


def _without_signature(lines: list[str]) -> list[str]:
    filled = [number for number, line in enumerate(lines) if line]
    for place, number in enumerate(filled[1:], start=1):
        if _ends_the_letter(lines[number], [lines[each] for each in filled[place + 1 : place + 5]]):
            return lines[:number] + [line for line in lines[number + 1 :] if _POSTSCRIPT.match(line)]
    return _without_name(lines, filled)


def _ends_the_letter(line: str, following: list[str]) -> bool:
    if _CLOSING.fullmatch(line):
        return True
    # "Thanks" also stands in the middle of a letter: it ends one only when a name or so is all that follows.
    if not _SOFT_CLOSING.fullmatch(line) or len(following) > _LONGEST_SIGNATURE:
        return False
    return all(len(each) <= _WRAPPED and each[-1] not in ".!?:" for each in following)


def _without_name(lines: list[str], filled: list[int]) -> list[str]:
    if len(filled) > 1 and _NAME.fullmatch(lines[filled[-1]]) and not lines[filled[-1] - 1]:
        return lines[: filled[-1]]
    return lines


def _masked(paragraph: str) -> tuple[str, list[str]]:
    quotes: list[str] = []

    def mark(match: re.Match[str]) -> str:
        inner = next(group for group in match.groups() if group is not None)
        quotes.append(" ".join(inner.split()))
        return f"\ue000{len(quotes) - 1}\ue001"

    return _QUOTED.sub(mark, paragraph), quotes


def _with_texts_to_add(lines: list[str], quotes: list[str]) -> tuple[list[str], list[str]]:
    """Treat what follows "add this paragraph:" as quoted, up to the end of its paragraph."""
    for number, line in enumerate(lines):
        lead = _ADD_LEAD.match(line)
        rest = " ".join([line[lead.end() :], *lines[number + 1 :]]).strip() if lead else ""
        if not lead or not rest or _MARK.match(rest):
            continue
        whole = QuotedSentence(rest, tuple(quotes)).spoken()
        return [*lines[:number], f"{lead[0]} \ue000{len(quotes)}\ue001"], [*quotes, whole]
    return lines, quotes


def _without_greeting(line: str) -> str:
    match = _GREETING.match(line)
    return line[match.end() :] if match else line


def _split(written: str) -> list[str]:
    line = _SMILE.sub(".", written)
    found: list[str] = []
    start = 0
    for match in _STOP.finditer(line):
        before = line[max(start, match.start() - 12) : match.start()]
        following = line[match.end() + 1 : match.end() + 2]
        if match[0] == "." and (_ABBREVIATION.search(before) or (_HALF_DAY.search(before) and not following.isupper())):
            continue
        found.append(line[start : match.end()].strip())
        start = match.end()
    found.append(line[start:].strip())
    return [text for text in found if text.strip(" .!?…-–—,;:")]
