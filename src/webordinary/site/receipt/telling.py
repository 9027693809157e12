"""Tells a receipt as an owner reads it: equal changes once, the page that they asked about first, long texts shortened.

A line is about a place of a page, such as `title`, or about a field there, such as `data:telephone`. The words of a
language are put to it when the answer is written.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from webordinary.jobs.lines import ChangeLine, KindLine, write_line
from webordinary.site.read.structured import differing_fields
from webordinary.site.receipt.changes import PagePart, TextChange, is_picture, plain_deed
from webordinary.site.receipt.excerpt import cut, excerpt, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from webordinary.site.receipt.changes import PageChange, Receipt


Said: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A sentence word by word: what became what, and what stands around it."""

    ahead: Said
    before: Said
    after: Said
    behind: Said

    @property
    def core(self) -> tuple[Said, Said]:
        return self.before, self.after


def split_difference(before: str, after: str) -> Difference:
    """Take two versions of a sentence apart."""
    old, new = tuple(before.split()), tuple(after.split())
    first = shared_words(old, new)
    last = shared_words(old[first:][::-1], new[first:][::-1])
    return Difference(old[:first], old[first : len(old) - last], new[first : len(new) - last], old[len(old) - last :])


def shared_words(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words at the beginning are the same."""
    most = min(len(one), len(other))
    return next((place for place in range(most) if one[place] != other[place]), most)


def say_once(found: Sequence[Difference]) -> tuple[str, str]:
    """Return both versions of what differs alike, with as many of the words around it as all of them share."""
    ahead = _shared_by_all([each.ahead[::-1] for each in found])[::-1]
    behind = _shared_by_all([each.behind for each in found])
    opened = ("…",) if any(len(each.ahead) > len(ahead) for each in found) else ()
    closed = ("…",) if any(len(each.behind) > len(behind) for each in found) else ()
    before, after = (" ".join((*opened, *ahead, *core, *behind, *closed)) for core in found[0].core)
    return before, after


def _shared_by_all(said: Sequence[Said]) -> Said:
    shared = said[0]
    for each in said[1:]:
        shared = shared[: shared_words(shared, each)]
    return shared


# The width of a version (`-640`, `-640w`, `-640x480`, `@2x`): the numbers of cameras are written otherwise.
_SIZE = re.compile(r"(?:-(?:[1-9]\d{2,3})(?:w|px|x[1-9]\d{1,3})?|@[1-4]x)$", re.IGNORECASE)
_FOLLOWS = re.compile(
    r"(?:^|/)(?:sitemap[^/]*\.xml|(?:feed|rss|atom|index)\.(?:xml|json)|[^/]+\.(?:map|rss|atom|pf_\w+))$", re.IGNORECASE
)
_MOST_VERSIONS = 8


def follows_pages(path: str) -> bool:
    """Tell whether a file only repeats what the pages say, such as a feed or a map of the sources."""
    return _FOLLOWS.search(path) is not None


def stem_of(path: str) -> str:
    """Return what the versions of one picture have in common; every other file is one thing by itself."""
    if not is_picture(path):
        return path
    return _SIZE.sub("", path.rpartition(".")[0])


def names_by_stem(paths: Iterable[str]) -> dict[str, str]:
    """Return one name for each thing: its shortest file, and what the other ones have behind the same beginning."""
    found = defaultdict[str, list[str]](list)
    for path in dict.fromkeys(paths):
        found[stem_of(path)].append(path)
    return {stem: _name(stem, files) for stem, files in found.items()}


def _name(stem: str, files: list[str]) -> str:
    first, *others = sorted(files, key=lambda path: (len(path), path))
    # The one that every browser shows is the one that people know.
    plain = next((path for path in (first, *others) if path.lower().endswith((".jpg", ".jpeg", ".png"))), first)
    endings = [path.removeprefix(stem) for path in (first, *others) if path != plain]
    if not endings:
        return plain
    more = f" +{len(endings) - _MOST_VERSIONS}" if len(endings) > _MOST_VERSIONS else ""
    return f"{plain} ({', '.join(endings[:_MOST_VERSIONS])}{more})"


MOST_LINES, _MOST_LETTERS = 12, 5_000
# So many pages are named without being counted, and so many files stand on lines of their own.
_FEW = 3
_LONGEST_NAME, _LONGEST_NAMES, _LONGEST_LIST = 80, 240, 800
_LOOKED_AT = 2_000
_FIELDS_ALONE = 6
_TOKEN = re.compile(r"[^\W\d_]{4,}|\d+(?:[.,:]\d+)*")
_SEPARATED = re.compile(r"\s[|\u2013\u2014\u00b7\u2022:-]\s")
# What everybody sees comes before what only programs read, and both before files.
_RANKS = {"look": 2, "file": 3, "files": 3, "follows": 4}
_LAST = 4
_WORDS = frozenset({"words", "words_added", "words_gone"})


def _nowhere(_path: str, _text: str) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Telling:
    """The lines of a receipt, how much of it they leave out, and the pages that were asked about more than others."""

    lines: tuple[str, ...] = ()
    left_out: int = 0
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Change:
    """One thing that happened, whichever pages it happened on; its texts are as long as they are."""

    kind: str
    texts: tuple[str, ...] = ()
    is_whole: bool = True

    @property
    def rank(self) -> int:
        kind, _, place = self.kind.partition("@")
        return _RANKS.get(kind.partition("_")[0], 1 if place else 0)


@dataclass(frozen=True, slots=True)
class _Told:
    change: _Change
    pages: tuple[str, ...] = ()


def tell_receipt(
    receipt: Receipt, request: str = "", *, of_pages: int = 0, region_of: Callable[[str, str], str] = _nowhere
) -> Telling:
    """Return a receipt line by line.

    `of_pages` is how many pages the site has, and `region_of` says in which part of a page a text stands.
    """
    told = _gathered(receipt)
    if len(told) > MOST_LINES:
        told = _alike_once(told)
    names = _page_names((*receipt.pages, *receipt.beside))
    asked = _tokens(request)
    scores = _scores(told, names, asked)
    told = sorted(told, key=lambda each: _order(each, scores, asked))
    known = one_line(request).casefold()
    # Only what is told is shortened: that takes a while.
    shown = [_shortened(_with_region(each, region_of), known) for each in told[:MOST_LINES]]
    lines = list(_fitting(_line(each, names, of_pages) for each in shown))
    cuts = sum(not each.change.is_whole for each in shown[: len(lines)])
    rest = len(told) - len(lines)
    return Telling(
        (*lines, *([write_line(KindLine("more", (str(rest),)))] if rest else [])), rest + cuts, _most_asked(scores)
    )


def overflow(receipt: Receipt, request: str = "") -> int:
    """Return how many changes do not fit into what an owner is told."""
    return tell_receipt(receipt, request).left_out


def fits(receipt: Receipt, request: str = "") -> bool:
    """Tell whether an owner is told everything; what the request itself says may be told shortened."""
    return not overflow(receipt, request)


def tell_unasked(about: str) -> KindLine:
    """Return `before → after`, of which one side may be a dash, as a line."""
    before, arrow, after = one_line(about).partition(" → ")
    if not arrow:
        return KindLine("words_added", (cut(before),))
    change = _change(TextChange("" if before == "-" else before, "" if after == "-" else after))
    shown = _shortened(_Told(change), "").change
    return KindLine(shown.kind, shown.texts)


def _fitting(lines: Iterable[str]) -> Iterator[str]:
    room = _MOST_LETTERS
    for line in lines:
        room -= len(line)
        if room < 0:
            return
        yield line


def _gathered(receipt: Receipt) -> list[_Told]:
    found = defaultdict[_Change, dict[str, None]](dict)
    labels = {
        "added": names_by_stem(_all_pictures(receipt, added=True)),
        "gone": names_by_stem(_all_pictures(receipt, added=False)),
    }
    for page in (*receipt.pages, *receipt.beside):
        for change in _changes_of(page, labels):
            found[change][page.path] = None
    told = [_Told(change, tuple(pages)) for change, pages in found.items()]
    return [*_of_pages(receipt), *told, *_of_files(receipt)]


def _all_pictures(receipt: Receipt, *, added: bool) -> Iterator[str]:
    for page in (*receipt.pages, *receipt.beside):
        yield from page.pictures_added if added else page.pictures_gone
    yield from (each for each in (receipt.files_added if added else receipt.files_gone) if not follows_pages(each))


def _changes_of(page: PageChange, labels: dict[str, dict[str, str]]) -> Iterator[_Change]:
    for words in _texts_of_pictures_together(page.words):
        yield from _of_words(words)
    for side, pictures in (("added", page.pictures_added), ("gone", page.pictures_gone)):
        names = [labels[side][stem] for stem in dict.fromkeys(map(stem_of, pictures))]
        yield from (each.change for each in _listed("picture", side, names))
    if page.look_changed:
        yield _Change("look")


def _texts_of_pictures_together(all_words: Sequence[TextChange]) -> Iterator[TextChange]:
    """Yield the words of a page, and those that came or went with many pictures as one."""
    for is_new in (True, False):
        found = [each for each in all_words if each.place is PagePart.PICTURE_TEXT and _is_alone(each, is_new=is_new)]
        if len(found) > _FEW:
            said = " / ".join(each.after or each.before for each in found)
            all_words = [each for each in all_words if each not in found]
            yield TextChange("", said, PagePart.PICTURE_TEXT) if is_new else TextChange(said, "", PagePart.PICTURE_TEXT)
    yield from all_words


def _is_alone(words: TextChange, *, is_new: bool) -> bool:
    return not words.before if is_new else not words.after


def _of_words(words: TextChange) -> Iterator[_Change]:
    if words.place is PagePart.DEED:
        words = replace(words, before=plain_deed(words.before), after=plain_deed(words.after))
    fields = differing_fields(words.before, words.after) if words.place is PagePart.DATA else ()
    if len(fields) > _FIELDS_ALONE or any(each.before == each.after for each in fields):
        fields = ()
    for field in fields:
        yield _change(TextChange(field.before, field.after, words.place), field.name)
    if not fields:
        yield _change(words)


def _change(words: TextChange, field: str = "") -> _Change:
    kind = "words" if words.before and words.after else "words_added" if words.after else "words_gone"
    place = "" if words.place is PagePart.TEXT else f"@{words.place.value}{f':{_plain(field)}' if field else ''}"
    return _Change(f"{kind}{place}", tuple(filter(None, map(one_line, (words.before, words.after)))))


def _shortened(told: _Told, known: str) -> _Told:
    """Shorten the words of a change around what differs."""
    kind, *_ = told.change.kind.partition("@")
    if kind not in _WORDS:
        return told
    before = told.change.texts[0] if kind != "words_added" else ""
    after = told.change.texts[-1] if kind != "words_gone" else ""
    shown = excerpt(before, after)
    # The person who wrote it knows it: a long text that was asked for word by word need not be told as a whole.
    was_said = not before and after.casefold() in known
    texts = (shown.before, cut(shown.after) if was_said else shown.after)
    change = replace(told.change, texts=tuple(filter(None, texts)), is_whole=shown.is_whole or was_said)
    return replace(told, change=change)


def _plain(field: str) -> str:
    return cut(re.sub(r"[\s*]+", "-", field), 40)


def _of_pages(receipt: Receipt) -> Iterator[_Told]:
    yield from _listed("page", "added", receipt.pages_added)
    yield from _listed("page", "gone", receipt.pages_gone)


def _of_files(receipt: Receipt) -> Iterator[_Told]:
    on_pages = {
        "added": {stem_of(each) for page in receipt.pages for each in page.pictures_added},
        "gone": {stem_of(each) for page in receipt.pages for each in page.pictures_gone},
    }
    follows = []
    for side, paths in (
        ("changed", receipt.files_changed),
        ("added", receipt.files_added),
        ("gone", receipt.files_gone),
    ):
        follows += [path for path in paths if follows_pages(path) and (side != "gone" or path.endswith(".map"))]
        names = names_by_stem(path for path in paths if path not in follows)
        yield from _listed("file", side, [name for stem, name in names.items() if stem not in on_pages.get(side, ())])
    if follows:
        told, _ = _some_names(follows)
        # They repeat what is told above.
        yield _Told(_Change("follows", (told,)))


def _listed(what: str, side: str, names: Sequence[str]) -> Iterator[_Told]:
    if len(names) <= _FEW:
        yield from (_Told(_Change(f"{what}_{side}", (cut(name),))) for name in names)
        return
    told, unnamed = _some_names(names, _LONGEST_LIST)
    yield _Told(_Change(f"{what}s_{side}", (told,), is_whole=not unnamed))


def _some_names(names: Sequence[str], longest: int = 2 * _LONGEST_NAMES) -> tuple[str, int]:
    """Return as many names as fit, and how many do not."""
    told: list[str] = []
    for name in dict.fromkeys(cut(one_line(each), _LONGEST_NAME) for each in names):
        if told and len(", ".join((*told, name))) > longest:
            return f"{', '.join(told)}, …", len(names) - len(told)
        told.append(name)
    return ", ".join(told), 0


def _page_names(pages: Iterable[PageChange]) -> dict[str, str]:
    """Return what each page is called: its title without what all of them end with, or its path."""
    titles = {page.path: one_line(page.title) for page in pages}
    parts = {path: _SEPARATED.split(title, maxsplit=1) for path, title in titles.items()}
    # The name of the site ends the titles of its pages, and is that of the first one.
    ends = Counter(part for found in parts.values() for part in found[1:])
    shared = {end for end, count in ends.items() if count > 1 or end in titles.values()}
    short = {path: found[0] if found[-1] in shared else titles[path] for path, found in parts.items()}
    called = Counter(short.values())
    return {path: cut(title, _LONGEST_NAME) if title and called[title] == 1 else path for path, title in short.items()}


def _with_region(told: _Told, region_of: Callable[[str, str], str]) -> _Told:
    """Name the part of the pages in which many of them have changed alike."""
    is_text = told.change.kind in {"words", "words_added"}
    region = region_of(told.pages[0], told.change.texts[-1]) if is_text and len(told.pages) > _FEW else ""
    return replace(told, change=replace(told.change, kind=f"{told.change.kind}@{region}")) if region else told


def _line(told: _Told, names: dict[str, str], of_pages: int) -> str:
    kind, _, place = told.change.kind.partition("@")
    line = ChangeLine(kind, told.change.texts, place)
    called = [names[path] for path in told.pages]
    if not called:
        return write_line(line)
    if len(called) <= _FEW:
        return write_line(replace(line, texts=(", ".join(called), *line.texts)))
    where, _ = _some_names(called, _LONGEST_NAMES)
    count = f"{len(called)}/{max(of_pages, len(called))}"
    return write_line(replace(line, texts=(where, *line.texts), count=count))


def _scores(told: Sequence[_Told], names: dict[str, str], asked: set[str]) -> dict[str, int]:
    """Return how much of the request each page is about: by its name, or by what is said of it."""
    scores = {path: 2 * len(asked & _tokens(f"{name} {path}")) for path, name in names.items()}
    for each in told:
        gained = _asked_in(each.change, asked)
        for path in each.pages:
            scores[path] = max(scores[path], gained)
    return scores


def _most_asked(scores: dict[str, int]) -> tuple[str, ...]:
    most, least = max(scores.values(), default=0), min(scores.values(), default=0)
    return tuple(path for path, score in scores.items() if score == most > least)


def _order(told: _Told, scores: dict[str, int], asked: set[str]) -> tuple[bool, int, int]:
    """Put the page that the request is about first, and what everybody sees before the rest of it."""
    score = max(scores[path] for path in told.pages) if told.pages else _asked_in(told.change, asked)
    return told.change.rank >= _LAST, -score, told.change.rank


def _asked_in(change: _Change, asked: set[str]) -> int:
    return len(asked & _tokens(" ".join(change.texts)[:_LOOKED_AT])) if asked else 0


def _tokens(text: str) -> set[str]:
    return set(_TOKEN.findall(text.casefold()))


def _alike_once(told: Sequence[_Told]) -> list[_Told]:
    """Tell once what differs in the same words, such as the name of the shop in every title."""
    groups = defaultdict[tuple[object, ...], list[_Told]](list)
    for each in told:
        groups[_core(each.change)].append(each)
    return [_together(group) for group in groups.values()]


def _core(change: _Change) -> tuple[object, ...]:
    if change.kind.partition("@")[0] == "words":
        core = split_difference(*change.texts).core
        if all(core):
            return change.kind, core
    return change.kind, change.texts


def _together(group: Sequence[_Told]) -> _Told:
    if len(group) == 1:
        return group[0]
    pages = tuple(dict.fromkeys(path for each in group for path in each.pages))
    texts = say_once([split_difference(*each.change.texts) for each in group])
    is_whole = all(each.change.is_whole for each in group)
    return _Told(replace(group[0].change, texts=texts, is_whole=is_whole), pages)
