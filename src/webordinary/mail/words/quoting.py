"""What the person wrote, told apart from the mail that they answer or forward.

We know what we sent, so our own marker line and our own sent lines come first; then the structure of the page, which
the reader of HTML has turned into `>`; then the lines with which mail programs announce a quoted mail. Nothing is
thrown away: what is cut is kept beside what stays, and in a forward or a new conversation nothing is cut at all. What
stays and is not the person's own begins with `>`.

Servers and scanners put notices below every mail that goes out: they are no part of what the person wrote.
A notice is known by what such notices have in common, not by one wording: it speaks of the mail, of secrecy, of the
one for whom it is meant, and of what everybody else has to do. One that is announced with a colon may be meant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from webordinary.languages import any_of, find, known
from webordinary.mail.words.announce import (
    AnnouncedKind,
    announcement_at,
    attribution_end,
    begins_a_mail,
    is_forward_line,
    is_of_ours,
    loose_attribution_start,
    names_nobody,
)
from webordinary.mail.words.sent import Sent, squeeze
from webordinary.mail.words.signature import card_length, end_of_words, ending_length

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.mail.words.announce import Announcement


def marker_line(language: str = "en") -> str:
    """Return the marker in the language of the mail that it begins."""
    return f"^^^ WebOrdinary: {(find(language) or known()[0]).marker} ^^^"


MARKER_LINES: Final = tuple(marker_line(each.code) for each in known())


_MOST_LINES = 60
_LONGEST_BLOCK = 6_000
_FEWEST_LETTERS = 100
_SIGNS = tuple(
    re.compile(any_of(lambda each, sign=sign: each.programs.notice[sign]), re.IGNORECASE)  # type: ignore[misc]  # a sign each
    for sign in range(4)
)
_SCANNER = re.compile(
    rf"(?:{any_of(lambda each: each.programs.scanned)})|<#[0-9a-f-]{{36}}>|<?https?://www\.(?:avast|avg)\.com\S{{0,300}}>?",
    re.IGNORECASE | re.DOTALL,
)
_RULE = re.compile(r"[-_=*#~\u2013\u2014\s]{3,}")


def notice_length(lines: Sequence[str]) -> int:
    """Return how many lines at the very end are such notices."""
    end = end_of_words(lines, len(lines))
    cut = len(lines)
    while (start := _start_of_block(lines, end)) is not None and len(lines) - start <= _MOST_LINES:
        block = "\n".join(lines[start:end])
        if _is_notice(block):
            cut = start
        elif not _RULE.fullmatch(block.strip()):
            break
        elif cut < len(lines):
            # A rule alone says nothing: it goes with the notice below it.
            cut = start
        end = end_of_words(lines, start)
    above = end_of_words(lines, cut)
    announced = above > 0 and lines[above - 1].rstrip().endswith((":", "\uff1a"))
    return 0 if announced or not above else len(lines) - cut


def _start_of_block(lines: Sequence[str], end: int) -> int | None:
    """Return where the lines without a gap begin that end here."""
    start = end
    while start and lines[start - 1].strip() and end - start < _MOST_LINES:
        start -= 1
        if _RULE.fullmatch(lines[start].strip()):
            break
    return start if start < end else None


def _is_notice(block: str) -> bool:
    first = block.partition("\n")[0]
    block = " ".join(block[:_LONGEST_BLOCK].split())
    if block.startswith(">") or not any(sign.search(first) for sign in (*_SIGNS, _SCANNER)):
        return False
    # All of it together is said by nobody who wants a page to be changed.
    is_legal = len(block) >= _FEWEST_LETTERS and all(sign.search(block) for sign in _SIGNS)
    return is_legal or _SCANNER.fullmatch(block) is not None


MARKER = marker_line()

_BLANK = " \t\r\xa0\u200b\ufeff>"
_DECORATION = _BLANK + "|*_=^~"
_MARKER_WORDS = frozenset(line.strip(_DECORATION).casefold() for line in MARKER_LINES)
_QUOTED = re.compile(r"[ \t\xa0]*>")
# A line of a chat, as it is copied: "[02/03/2026, 10:00:12] Bob: ".
_CHAT = re.compile(
    r"[ \t\xa0\u200e]*\[\d{1,2}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}[:.]\d{2}(?:[:.]\d{2})?[^\]\d]{0,5}\] [^:\n]{1,40}: "
)
_MARKS = re.compile(r"[ \t\xa0>]*")
_PICTURE = re.compile(r"\[picture: [^\]\n]{1,80}\]")
# Comparing costs more than looking, and nobody answers between more lines than that.
_MOST_COMPARED = 2_000
_FEWEST_KNOWN = 2
_LINES_OF_A_HEADER = 9
_KNOWN_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class OwnWords:
    """What stays: the person's own lines, and those of others marked with `>`; and the lines that were cut off."""

    kept: str
    cut: str

    @property
    def spoken(self) -> str:
        """The person's own lines alone, without pictures."""
        return told_apart(self.kept)[0]


def own_words(
    text: str,
    *,
    is_reply: bool,
    is_forward: bool = False,
    sent: Sent | None = None,
    about: str = "",
    writer: str | None = None,
) -> OwnWords:
    """Separate a person's words from others'; history is cut only from a mail that answers one of ours.

    A business card of the `writer` at the end is cut too, unless the words or those of `about`, the subject, speak of
    it; and so is what a server puts below every mail.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    sheet = _Sheet(lines, sent or Sent(), cuts=is_reply and not is_forward, about=about, writer=writer)
    sheet.find_announced()
    if sheet.cuts:
        sheet.find_ours()
    history = sheet.history() if sheet.cuts else set()
    return sheet.divided(history)


def has_marker(text: str) -> bool:
    """Tell whether one of our own mails is quoted in this text."""
    lines = text.split("\n") if "webordinary" in text.casefold() else []
    return any(_is_marker(lines, number) for number in range(len(lines)))


def _is_marker(lines: list[str], number: int) -> bool:
    """Tell whether our marker stands here; a client that quotes a quote may have broken it over two lines."""
    if "webordinary" not in lines[number].casefold():
        return False
    line = _plain(lines[number])
    following = _plain(lines[number + 1]) if number + 1 < len(lines) else ""
    return line in _MARKER_WORDS or f"{line} {following}" in _MARKER_WORDS


def without_pictures(text: str) -> str:
    """Return the text without the marks that keep the places of pictures, such as the logo of a signature."""
    return _PICTURE.sub("", text)


def told_apart(text: str) -> tuple[str, str]:
    """Return a person's own lines, without pictures, and those of others that stand behind a `>`."""
    lines = text.split("\n")
    own = "\n".join(line for line in lines if not _QUOTED.match(line))
    return without_pictures(own).strip(), "\n".join(line.lstrip(_BLANK) for line in lines if _QUOTED.match(line))


def as_quote(text: str) -> str:
    """Return somebody else's words with each line marked as such."""
    return "\n".join(f"> {line}".rstrip() for line in text.strip("\n").split("\n")) if text.strip() else ""


@dataclass(slots=True)
class _Sheet:
    """The lines of one mail; `others` are the numbers of those that somebody else wrote."""

    lines: list[str]
    sent: Sent
    cuts: bool
    about: str = ""
    writer: str | None = None
    others: set[int] = field(default_factory=set)
    forwarded: set[int] = field(default_factory=set)
    announced: set[int] = field(default_factory=set)
    signs: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.forwarded = {number for number, line in enumerate(self.lines) if _CHAT.match(line)}
        self.others = {number for number, line in enumerate(self.lines) if _QUOTED.match(line)} | self.forwarded

    def find_announced(self) -> None:
        """Mark the lines below an announcement, which go to the end of the mail unless they are quoted with `>`."""
        number = 0
        while number < len(self.lines):
            found = announcement_at(self.lines, number) if number not in self.others else None
            if found is None or (self.cuts and self._is_talk(found)):
                number += 1
                continue
            self._mark(found)
            number = found.end if self._is_quoted_below(found.end) else len(self.lines)
        self._find_quoted_forwards()

    def _is_talk(self, found: Announcement) -> bool:
        """Tell whether somebody's own sentence ends like an announcement: the mail that is answered comes later."""
        if not names_nobody(self.lines[found.first : found.end]) or self._is_quoted_below(found.end):
            return False
        following = next((n for n in range(found.end, len(self.lines)) if self.lines[n].strip()), len(self.lines))
        return self._last_sign_of_ours() > following and following not in self.signs

    def _last_sign_of_ours(self) -> int:
        """Return where our marker or our address stands last; looked for once, because a mail may be all talk."""
        if not self.signs:
            found = {n for n, line in enumerate(self.lines) if self._is_marker(n) or is_of_ours(line)}
            self.signs = found or {-1}
        return max(self.signs)

    def _mark(self, found: Announcement) -> None:
        announced = set(range(found.first, found.end))
        self.announced |= announced
        below = set() if self._is_quoted_below(found.end) else self._filled(found.end)
        if below and found.kind == AnnouncedKind.ANSWERED and self.cuts and self._is_all_there_is(found, below):
            # Somebody wrote below an announcement whose quote they deleted.
            below = set()
        self.others |= announced | below
        if found.kind == AnnouncedKind.FORWARDED:
            self.forwarded |= announced | (below or self._block_from(found.end))

    def _is_quoted_below(self, number: int) -> bool:
        following = next((n for n in range(number, len(self.lines)) if self.lines[n].strip()), None)
        return following in self.others

    def _filled(self, first: int) -> set[int]:
        return {number for number in range(first, len(self.lines)) if self.lines[number].strip()}

    def _block_from(self, number: int) -> set[int]:
        """Return the quoted lines from here on, up to the next line of the person's own."""
        block: set[int] = set()
        while number < len(self.lines) and (number in self.others or not self.lines[number].strip()):
            block.add(number)
            number += 1
        return block

    def _is_all_there_is(self, found: Announcement, below: set[int]) -> bool:
        own = self._filled(0) - self.others - below - set(range(found.first, found.end))
        compared = sorted(below)[:_MOST_COMPARED]
        ours = any(self._is_marker(number) or self.sent.knows(self.lines[number]) for number in compared)
        return not own and not ours

    def _find_quoted_forwards(self) -> None:
        """A quote that begins with the words of a forward stays: the page's structure says where it ends."""
        number = 0
        while number < len(self.lines):
            if number in self.others and number not in self.forwarded:
                block = self._block_from(number)
                if is_forward_line(self.lines[number].strip(_BLANK)):
                    self.forwarded |= block
                number += len(block)
            else:
                number += 1

    def find_ours(self) -> None:
        """Mark what we sent: everything from our marker or from our own lines on."""
        first = self._first_of_ours()
        if first is not None and first not in self.others:
            start = loose_attribution_start(self.lines, first)
            self.others |= self._filled(first if start is None else start)
            self.announced.add(first if start is None else start)
        if first is not None and self.sent.lines:
            self._find_answers_among(first)

    def _first_of_ours(self) -> int | None:
        open_lines = [n for n in range(len(self.lines)) if n not in self.forwarded]
        marker = next((number for number in open_lines if self._is_marker(number)), None)
        if marker is not None or not self.sent.lines:
            return marker
        run: list[int] = []
        for number in [n for n in open_lines if self.lines[n].strip(_BLANK)][:_MOST_COMPARED]:
            run = [*run, number] if self.sent.tells(self.lines[number]) else []
            if len(run) >= _FEWEST_KNOWN:
                return run[0]
        return None

    def _is_marker(self, number: int) -> bool:
        return _is_marker(self.lines, number)

    def _find_answers_among(self, first: int) -> None:
        """Give a person the lines back that they wrote between ours in a quote that is not marked line by line."""
        below = [n for n in range(first + 1, len(self.lines)) if n in self.others and self.lines[n].strip(_BLANK)]
        below = [n for n in below if _depth(self.lines[n]) <= _depth(self.lines[first])][:_MOST_COMPARED]
        known = {number for number in below if self.sent.knows(self.lines[number])}
        last = max(known, default=first)
        if len(known) < _FEWEST_KNOWN or len(known) < _KNOWN_SHARE * sum(number <= last for number in below):
            return
        end = self._end_below(last)
        unknown = {n for n in below if n not in known and n < end and squeeze(self.lines[n])}
        for number in unknown:
            self.lines[number] = _MARKS.sub("", self.lines[number], count=1)
        self.others -= unknown

    def _end_below(self, last: int) -> int:
        """Return up to where people may have written: below our last line too, unless another mail begins there."""
        if not self.sent.ends_with(self.lines[last]):
            return last
        bare = [_MARKS.sub("", line, count=1) for line in self.lines[: last + _MOST_COMPARED]]
        others = (n for n in range(last + 1, len(bare)) if announcement_at(bare, n) is not None)
        return next(others, len(bare))

    def history(self) -> set[int]:
        """Return what is cut from a reply: what others wrote, but not the questions that the person answers."""
        history = self.others - self.forwarded
        anchor = self._first_sign_of_a_mail(sorted(history))
        if anchor is None:
            # Testimonials and menus are marked with `>` too.
            return set()
        # Lines that a person marks with `>` above the mail that they answer mean something: a list, or a question.
        history = {number for number in history if number >= anchor}
        first = min(history)
        # One announcement is enough: what stands above it is the person's own.
        if first not in self.announced and (start := loose_attribution_start(self.lines, first)) is not None:
            history |= set(range(start, first))
        ending = self._ending(history)
        own = [n for n in sorted(self._filled(min(history)) - history - self.forwarded) if n not in ending]
        if own and own[0] < max(history):
            # Otherwise everything was written below the whole quote, and there is no single question to show with it.
            history -= {line for number in own for line in self._question_above(number, history)}
        return history

    def _first_sign_of_a_mail(self, quoted: list[int]) -> int | None:
        """Return where the mail that is answered begins, or None when nothing proves that there is one."""
        for number in quoted[:_MOST_COMPARED]:
            bare = [line.lstrip(_BLANK) for line in self.lines[number : number + _LINES_OF_A_HEADER]]
            if (
                number in self.announced
                or begins_a_mail(bare)
                or self._is_marker(number)
                or self.sent.tells(self.lines[number])
                or self._is_announced_above(number)
            ):
                return number
        return None

    def _is_announced_above(self, number: int) -> bool:
        """Tell whether the line above announces a quoted mail; where we know what we sent, an address is no proof."""
        start = loose_attribution_start(self.lines, number)
        return start is not None and (not self.sent.lines or attribution_end(self.lines, start) is not None)

    def _ending(self, history: set[int]) -> set[int]:
        staying = [number for number in range(len(self.lines)) if number not in history]
        end = len(staying) - notice_length([self._shown(number) for number in staying])
        end -= ending_length([self.lines[number] for number in staying[:end]])
        end -= card_length([self._shown(number) for number in staying[:end]], about=self.about, writer=self.writer)
        return set(staying[end:])

    def _question_above(self, answer: int, history: set[int]) -> range:
        end = answer
        while end - 1 in history and not _plain(self.lines[end - 1]):
            end -= 1
        while end > 0 and not self.lines[end - 1].strip(_BLANK):
            end -= 1
        start = end
        while start - 1 in history and _plain(self.lines[start - 1]) and not self._is_marker(start - 1):
            start -= 1
        return range(start, end)

    def divided(self, history: set[int]) -> OwnWords:
        ending = self._ending(history)
        lines = range(len(self.lines))
        kept = [self._shown(number) for number in lines if number not in history and number not in ending]
        cut = [self.lines[number] for number in lines if number in history or number in ending]
        return OwnWords(_joined(kept), _joined(cut))

    def _shown(self, number: int) -> str:
        line = self.lines[number]
        return f"> {line}" if number in self.others and line.strip() and not _QUOTED.match(line) else line


def _joined(lines: list[str]) -> str:
    text = "\n".join(lines)
    return text.strip("\n") if text.strip() else ""


def _depth(line: str) -> int:
    marks = _MARKS.match(line)
    return marks[0].count(">") if marks else 0


def _plain(line: str) -> str:
    return " ".join(line.strip(_DECORATION).casefold().split())
