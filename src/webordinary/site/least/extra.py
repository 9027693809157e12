"""What a request does not need: hunks that share no word and no fact with it, and hunks of form.

A hunk may only go if the rest answers every clause of the request: where somebody asked for more than can be recognised
in the change, nothing is known to be extra but the space that a browser does not show. And where a wish stands in
words, its look, its pictures and the figures that follow from it share none of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from webordinary.languages import any_of
from webordinary.site.checks.explained import is_of_figures
from webordinary.site.checks.neighbours import stems_of
from webordinary.site.checks.shown import differing
from webordinary.site.checks.unasked import COSTS
from webordinary.site.facts.find import Known, facts_of_link, find_facts
from webordinary.site.least.hunks import Hunk, find_hunks, put_together
from webordinary.site.receipt.changes import TextChange

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import TypeAlias

    from webordinary.site.checks.request import Asked
    from webordinary.site.facts.find import Fact

    # A hunk by its file and its number there.
    Place: TypeAlias = tuple[str, int]

_LARGEST = 400_000
_ALIKE = 0.6
_MOST_FILES = 100
_NEAR, _FAR = 12, 400
_LONGEST, _LONGEST_READ = 80, 20_000
_WORD = re.compile(r"\w+")
_LINK = re.compile(r"""\bhref\s*=\s*["']([^"'<>]+)""")
_HELLO = any_of(lambda each: each.letters.greetings)
_BYE = any_of(lambda each: each.letters.sign_offs, lambda each: each.letters.thanks)
_GREETING = re.compile(rf"\s*(?:{_HELLO})\b[^,.!:\n]{{0,40}}[,.!:\n]", re.IGNORECASE)
_END = re.compile(rf"(?:^|[\n.!?,])\s*(?:{_BYE})\b.{{0,120}}\Z", re.IGNORECASE | re.DOTALL)
_ASKS = re.compile(rf"\b(?:{any_of(lambda each: each.letters.asks)})\b", re.IGNORECASE)
_SHARE = re.compile(rf"%|\b(?:{any_of(lambda each: each.site.percent)})\b", re.IGNORECASE)
# Here space between two tokens is no matter.
_LOOSE = frozenset({".html", ".htm", ".css"})
_AS_WRITTEN = re.compile(r"<(?P<end>/?)(?:pre|textarea)\b", re.IGNORECASE)
_STYLES = frozenset({".css", ".scss", ".sass", ".less"})
_ANY_TAG = re.compile(r"<[^<>]*>")
_CLAUSE = re.compile(rf"[.!?;,:](?=\s|\Z)|\n+|\b(?:{any_of(lambda each: each.when.joins)})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file as it is live and as it would be; None where there is none. A file that moved has both names."""

    path: str
    before: bytes | None
    after: bytes | None
    was_at: str = ""

    @property
    def is_text(self) -> bool:
        return all(_is_text(content) for content in (self.before, self.after))


@dataclass(frozen=True, slots=True)
class Extra:
    """A place that changed and that the request does not need."""

    path: str
    before: str
    after: str
    # Only how the file is written differs, and nothing of what it says.
    is_form: bool = False


@dataclass(frozen=True)
class RequestTopic:
    """What a request speaks of: its facts, and how its words begin that say what it is about."""

    asked: Asked
    topic: frozenset[str]
    # Files that came with the mail, by their paths in the site.
    brought: frozenset[str] = frozenset()
    # Whether the mail brought files: what else an agent makes of a picture nobody can tell from it.
    has_files: bool = False

    def speaks_of(self, hunk: Hunk) -> bool:
        """Tell whether a hunk has to do with the request; where that cannot be known it has."""
        if (
            max(len(hunk.before), len(hunk.after)) > _LONGEST_READ
            or self.brings_a_fact(hunk)
            or self._shows_brought(hunk)
        ):
            return True
        facts = [_facts(text) for text in (hunk.before, hunk.after)]
        is_of_facts = is_of_figures(hunk.before, hunk.after) and any(facts)
        # Figures are held against figures: another cake is a cake, too.
        if not is_of_facts and self.words_of(hunk):
            return True
        return not any(facts) and _figures(hunk.before) != _figures(hunk.after)

    def brings_a_fact(self, hunk: Hunk) -> bool:
        """Tell whether a fact of the request came or went with a hunk; in a very long one nobody looks for it."""
        if _is_long(hunk):
            return False
        facts = differing(TextChange(hunk.before, hunk.after), _facts(hunk.before), _facts(hunk.after))
        return any(self.asked.known.has(fact) for some in facts for fact in some)

    def words_of(self, hunk: Hunk) -> frozenset[str]:
        """Return the words of the request that a hunk has."""
        texts = _differing_words(hunk) if hunk.is_tag else (hunk.before, hunk.after)
        return (stems_of(" ".join(texts)) & self.topic) - COSTS

    def may_mean(self, path: str) -> bool:
        """Tell whether somebody may have wished for what became of a file."""
        return self.has_files or not stems_of(_spoken(path)).isdisjoint(self.topic)

    def marks_of(self, hunk: Hunk) -> set[str]:
        """Return the words and facts of a request that a hunk has anew."""
        facts = (fact.form for fact in find_facts(hunk.after) if self.asked.known.has(fact))
        return {*(stems_of(hunk.after) & self.topic), *facts}

    def _shows_brought(self, hunk: Hunk) -> bool:
        return any(PurePosixPath(path).name in hunk.after for path in self.brought)

    def is_answered_by(self, texts: Sequence[str]) -> bool:
        """Tell whether each clause of the request says its facts, or most of its words, with what would be left."""
        stems = stems_of(" ".join(texts))
        known = Known(fact for text in texts for fact in find_facts(text))
        return bool(self._clauses) and all(_is_said(clause, stems, known) for clause in self._clauses)

    def may_mean_silently(self, change: FileChange, hunk: Hunk) -> bool:
        """Tell whether a wish may have led to a hunk that cannot share a word with it: a look, a picture, a figure."""
        if is_of_figures(hunk.before, hunk.after) and (not self.is_of_facts or _SHARE.search(self.asked.text)):
            return True
        return not self.is_of_facts and (not change.is_text or _is_of_look(change.path, hunk))

    @cached_property
    def is_of_facts(self) -> bool:
        """Whether every clause names what has to stand on the site."""
        return all(find_facts(clause) for clause in self._clauses)

    @cached_property
    def _clauses(self) -> list[str]:
        """The clauses that say something, without those that begin and end a letter."""
        text = _END.sub("", _GREETING.sub("", self.asked.text, count=1))
        inside = {place for fact in find_facts(text) for place in range(fact.at, fact.end)}
        ends = [found for found in _CLAUSE.finditer(text) if found.start() not in inside]
        begins = [0, *(found.end() for found in ends)]
        stops = [*(found.start() for found in ends), len(text)]
        clauses = (text[begin:stop] for begin, stop in zip(begins, stops, strict=True))
        return [clause for clause in clauses if _named_in(clause) or find_facts(clause)]


def _named_in(clause: str) -> frozenset[str]:
    """Return how the words begin that name something; "add this" and "please change" do not."""
    return stems_of(_ASKS.sub(" ", clause)) - COSTS


def _is_said(clause: str, stems: frozenset[str], known: Known) -> bool:
    facts, said = find_facts(clause), _named_in(clause)
    if facts:
        return all(known.has(fact) for fact in facts)
    return len(said & stems) * 2 > len(said)


@dataclass(frozen=True)
class _File:
    change: FileChange
    hunks: Sequence[Hunk]
    # Whether each hunk has to do with the request; hunks of form and those that stayed have not.
    is_asked: Sequence[bool]
    is_move_asked: bool = False

    @property
    def path(self) -> str:
        return self.change.path

    @cached_property
    def as_written(self) -> frozenset[int]:
        """The hunks in elements that show each space as it is written."""
        found, is_inside = set[int](), False
        for number, hunk in enumerate(self.hunks):
            marks = [not mark["end"] for mark in _AS_WRITTEN.finditer(hunk.after)]
            if is_inside or any(marks):
                found.add(number)
            is_inside = marks[-1] if marks else is_inside
        return frozenset(found)

    def asked_texts(self, is_meant: Callable[[Hunk], bool] = lambda _: True) -> Iterator[str]:
        """Yield what hunks say that were asked for, each with what stands before it, and what their file is called."""
        for number, hunk in _differing(self):
            if self.is_asked[number] and is_meant(hunk):
                near = (_lasting(each) for each in self.hunks[max(0, number - _NEAR) : number])
                yield f"{_spoken(self.path)} {''.join(near)[-_FAR:]}"
                yield from (hunk.before[:_LONGEST_READ], hunk.after[:_LONGEST_READ])


@dataclass(frozen=True)
class Overedit:
    """A change with what of it the request does not need."""

    wanted: RequestTopic
    files: tuple[_File, ...] = field(repr=False)

    @cached_property
    def form(self) -> frozenset[Place]:
        """The hunks that say nothing; where more may have been asked for only those that no browser shows."""
        return frozenset(
            (file.path, number)
            for file in self.files
            for number, hunk in _differing(file)
            if hunk.is_form and number not in file.as_written and (self._is_answered or _is_unseen(file.path, hunk))
        )

    @cached_property
    def unasked(self) -> frozenset[Place]:
        """The hunks that say something which nobody asked for; none if the rest is not known to be all that was."""
        if not self._is_answered:
            return frozenset()
        return frozenset(
            (file.path, number)
            for file in self.files
            for number, hunk in _differing(file)
            if not hunk.is_form and not file.is_asked[number] and not self.wanted.may_mean_silently(file.change, hunk)
        )

    @cached_property
    def moved(self) -> frozenset[str]:
        """The files that nobody asked to call otherwise; none if something else may have been asked for."""
        if not self._is_answered:
            return frozenset()
        return frozenset(file.path for file in self.files if file.change.was_at and not file.is_move_asked)

    @cached_property
    def _is_answered(self) -> bool:
        """Whether what has to do with the request is all that it asks for."""
        return self.wanted.is_answered_by([text for file in self.files for text in file.asked_texts()])

    def extras(self) -> tuple[Extra, ...]:
        """Return what nobody asked for, in the order of the files."""
        moved = (Extra(file.path, file.change.was_at, file.path) for file in self.files if file.path in self.moved)
        return (*moved, *self._places())

    def _places(self) -> Iterator[Extra]:
        out = self.form | self.unasked
        return (
            Extra(file.path, _readable(hunk.before), _readable(hunk.after), is_form=hunk.is_form)
            for file in self.files
            for number, hunk in _differing(file)
            if (file.path, number) in out
        )

    def in_short(self, out: Collection[Place], moved: Collection[str] = ()) -> list[str]:
        """Say what is taken out, in one line for each place that says something and one for each file of form."""
        said = [f"{path}: called otherwise" for path in sorted(moved)]
        for file in self.files:
            hunks = [hunk for number, hunk in _differing(file) if (file.path, number) in out]
            said += [f"{file.path}: {_short(hunk.before)} → {_short(hunk.after)}" for hunk in hunks if not hunk.is_form]
            said += [f"{file.path}: how it is written"] if any(hunk.is_form for hunk in hunks) else []
        return said

    def without(self, out: Collection[Place], moved: Collection[str] = ()) -> dict[str, bytes | None]:
        """Return the files that become others when these hunks are taken out; None where one goes."""
        found: dict[str, bytes | None] = {}
        for file in self.files:
            numbers = {number for path, number in out if path == file.path}
            if not numbers and file.path not in moved:
                continue
            path = file.change.was_at if file.path in moved else file.path
            if path != file.path:
                found[file.path] = None
            found[path] = _content(file, numbers)
        return found


def find_overedit(wanted: RequestTopic, changes: Sequence[FileChange]) -> Overedit:
    """Split a change into hunks and hold each against the request."""
    if len(changes) > _MOST_FILES:
        return Overedit(wanted, ())
    split = [(change, _hunks_of(change)) for change in _with_moves(changes)]
    strict = _strictly(wanted, [_judged(wanted, change, hunks) for change, hunks in split])
    return Overedit(strict, tuple(_judged(strict, change, hunks) for change, hunks in split))


def _strictly(wanted: RequestTopic, files: Sequence[_File]) -> RequestTopic:
    """Where facts were asked for and all are there, a hunk has to bring one, or a word that they do not stand with."""
    texts = [text for file in files for text in file.asked_texts(wanted.brings_a_fact)]
    if not wanted.is_of_facts or not wanted.is_answered_by(texts):
        return wanted
    return replace(wanted, topic=wanted.topic - stems_of(" ".join(texts)))


def _hunks_of(change: FileChange) -> list[Hunk]:
    if change.is_text and change.before is not None and change.after is not None:
        return find_hunks(_text(change.before), _text(change.after))
    # A file that came or went is one hunk, and so is a picture; of that nothing is known but its name.
    if not change.is_text:
        return [Hunk(_spoken(change.path), "")]
    return [Hunk(_text(change.before), _text(change.after))]


def _judged(request: RequestTopic, change: FileChange, hunks: list[Hunk]) -> _File:
    if change.path in request.brought:
        return _File(change, hunks, [True] * len(hunks))
    is_named = not stems_of(f"{_spoken(change.path)} {_spoken(change.was_at)}").isdisjoint(request.topic)
    if not change.is_text or change.before is None or change.after is None:
        return _File(change, hunks, [is_named or _is_asked_whole(request, change, hunks[0])])
    asked = [hunk.differs and not hunk.is_form and request.speaks_of(hunk) for hunk in hunks]
    return _File(change, hunks, asked, is_named)


def _is_asked_whole(request: RequestTopic, change: FileChange, whole: Hunk) -> bool:
    """Tell whether a file may have come or gone because somebody wished it."""
    if not change.is_text:
        return request.has_files
    if change.after is None:
        # What a page says shares a word with every mail; what it is called does not.
        return not stems_of(_title(whole.before)).isdisjoint(request.topic)
    return request.speaks_of(whole)


_TITLE = re.compile(
    r"<title[^<>]*>([^<]*)|<h1[^<>]*>([^<]*)|^title\s*[:=](.*)$|^#\s(.*)$", re.IGNORECASE | re.MULTILINE
)


def _title(text: str) -> str:
    return " ".join(" ".join(found.groups("")) for found in _TITLE.finditer(text[:_LARGEST]))


def _content(file: _File, out: Collection[int]) -> bytes | None:
    change = file.change
    if not change.is_text or change.before is None or change.after is None:
        return change.before if out else change.after
    return put_together(file.hunks, out).encode(errors="surrogateescape")


def _with_moves(changes: Sequence[FileChange]) -> list[FileChange]:
    """Put a file that went and one that came with nearly the same content together: it is called otherwise now."""
    gone = [each for each in changes if each.after is None and each.is_text]
    found: list[FileChange] = []
    moved: set[str] = set()
    for change in changes:
        was = next((each for each in gone if each.path not in moved and _is_move(each, change)), None)
        if was is not None:
            moved.add(was.path)
            found.append(FileChange(change.path, was.before, change.after, was.path))
        else:
            found.append(change)
    return [each for each in found if each.path not in moved]


def _is_move(gone: FileChange, come: FileChange) -> bool:
    if (
        come.before is not None
        or not come.is_text
        or PurePosixPath(gone.path).suffix != PurePosixPath(come.path).suffix
    ):
        return False
    if gone.before == come.after:
        return True
    if max(len(content or b"") for content in (gone.before, come.after)) > _LARGEST:
        return False
    was, now = (_text(content).splitlines() for content in (gone.before, come.after))
    matcher = SequenceMatcher(None, was, now)
    return matcher.quick_ratio() > _ALIKE and matcher.ratio() > _ALIKE


def _differing(file: _File) -> Iterator[tuple[int, Hunk]]:
    return ((number, hunk) for number, hunk in enumerate(file.hunks) if hunk.differs)


def _differing_words(hunk: Hunk) -> tuple[str, str]:
    """Return the words of a tag that came and went: those that stayed say nothing."""
    had, has = (set(_WORD.findall(text)) for text in (hunk.before, hunk.after))
    return " ".join(sorted(had - has)), " ".join(sorted(has - had))


def _lasting(hunk: Hunk) -> str:
    """Return what a hunk says before and after: of a label that was made longer, what the label was."""
    if not hunk.differs:
        return hunk.after
    had = set(_WORD.findall(hunk.before.casefold()))
    return f" {' '.join(word for word in _WORD.findall(hunk.after) if word.casefold() in had)} "


def _facts(text: str) -> tuple[Fact, ...]:
    """Return the facts of a text, also where its links lead."""
    return (*find_facts(text), *(fact for link in _LINK.findall(text) for fact in facts_of_link(link)))


def _is_unseen(path: str, hunk: Hunk) -> bool:
    """Tell whether a hunk is nothing but space between two tokens, which every browser makes one of."""
    return hunk.is_gap and not f"{hunk.before}{hunk.after}".strip(" \t\r\n") and PurePosixPath(path).suffix in _LOOSE


def _is_of_look(path: str, hunk: Hunk) -> bool:
    """Tell whether a hunk is of styles or tags, and the words stay."""
    had, has = ("".join(_ANY_TAG.sub("", text).split()) for text in (hunk.before, hunk.after))
    return PurePosixPath(path).suffix in _STYLES or had == has


def _is_long(hunk: Hunk) -> bool:
    return max(len(hunk.before), len(hunk.after)) > _LONGEST_READ


def _short(text: str) -> str:
    return " ".join(_readable(text).split())[:_LONGEST] or "-"


def _readable(text: str) -> str:
    """Return a text as it can be told and written down, also where a file is in an old encoding."""
    return text.encode(errors="surrogateescape").decode(errors="replace")


def _figures(text: str) -> list[str]:
    return re.findall(r"\b\d+", text)


def _spoken(path: str) -> str:
    return re.sub(r"[\W_]+", " ", path)


def _is_text(content: bytes | None) -> bool:
    return content is None or b"\0" not in content


def _text(content: bytes | None) -> str:
    return (content or b"").decode(errors="surrogateescape")
