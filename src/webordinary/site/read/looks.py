"""Whether a page looks otherwise in more than the words, pictures and links that are told of.

A new paragraph is told by its words as long as it looks like what was there; everything else that is made otherwise
than before counts, also beside words that changed.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Sequence

    from webordinary.site.read.elements import Page

    Row: TypeAlias = Sequence[Hashable]
    Run: TypeAlias = tuple[int, int, int, int]


# How long what differs may be, and how many pairs of the same text it may have, to be put in order: beyond that,
# finding the best order takes longer than anybody waits.
_LONGEST, _MOST_PAIRS = 4_000, 200_000
_MOST_COMPARED = 900
_A_LITTLE = 0.01


def differences(before: Row, after: Row) -> Iterator[Run]:
    """Yield where two rows differ; nothing that differs is left out."""
    first = _alike(before, after)
    last = _alike(before[first:][::-1], after[first:][::-1])
    one, other = before[first : len(before) - last], after[first : len(after) - last]
    if not one and not other:
        return
    counts = Counter(other)
    if max(len(one), len(other)) > _LONGEST or sum(counts[text] for text in one) > _MOST_PAIRS:
        yield first, len(before) - last, first, len(after) - last
        return
    codes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    found = [tuple(places) for kind, *places in codes if kind != "equal"]
    in_place = [place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]
    if len(one) == len(other) and len(in_place) <= sum(
        max(to_a - from_a, to_b - from_b) for from_a, to_a, from_b, to_b in found
    ):
        # Two prices that changed places are two prices that changed, and no rows that moved.
        found = [(place, place + 1, place, place + 1) for place in in_place]
    for from_a, to_a, from_b, to_b in found:
        yield first + from_a, first + to_a, first + from_b, first + to_b


def pairs(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Yield what became what, in order: the places of two texts, or of one that stands alone."""
    for from_a, to_a, from_b, to_b in differences(before, after):
        for one, other in _matched(before[from_a:to_a], after[from_b:to_b]):
            yield None if one is None else from_a + one, None if other is None else from_b + other


def _alike(one: Row, other: Row) -> int:
    """Return how many of the first texts are the same."""
    shared = min(len(one), len(other))
    return next((place for place in range(shared) if one[place] != other[place]), shared)


def _matched(gone: Sequence[str], come: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Put what is gone beside what came in its place, the most similar ones together; what is left stands alone."""
    shared = min(len(gone), len(come))
    if not shared or len(gone) == len(come) == 1 or len(gone) * len(come) > _MOST_COMPARED:
        yield from ((place, place) for place in range(shared))
        yield from ((place, None) for place in range(shared, len(gone)))
        yield from ((None, place) for place in range(shared, len(come)))
        return
    yield from _best(gone, come)


def _best(gone: Sequence[str], come: Sequence[str]) -> list[tuple[int | None, int | None]]:
    """Return the pairs, in order, that have the most words in common."""
    words_gone, words_come = ([frozenset(text.lower().split()) for text in texts] for texts in (gone, come))
    best = [[0.0] * (len(come) + 1) for _ in range(len(gone) + 1)]
    alike = [[_likeness(one, other) for other in words_come] for one in words_gone]
    for one in range(len(gone) - 1, -1, -1):
        for other in range(len(come) - 1, -1, -1):
            best[one][other] = max(
                best[one + 1][other + 1] + alike[one][other], best[one + 1][other], best[one][other + 1]
            )
    found: list[tuple[int | None, int | None]] = []
    one = other = 0
    while one < len(gone) and other < len(come):
        if best[one][other] == best[one + 1][other + 1] + alike[one][other]:
            found.append((one, other))
            one, other = one + 1, other + 1
        elif best[one][other] == best[one + 1][other]:
            found.append((one, None))
            one += 1
        else:
            found.append((None, other))
            other += 1
    found += [(place, None) for place in range(one, len(gone))]
    return found + [(None, place) for place in range(other, len(come))]


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return _A_LITTLE + len(one & other) / max(1, len(one | other))


_ENTRY = re.compile(r"(\d+)([nibt])([^~\s]*)(~\w+)?")
_MOST_WORDS = 3_000
# An element that is not where it was.
MOVED = "*"
# Between the styles of words in words; between an element and its attributes stand the ends of lines.
INSIDE = "\t"


@dataclass(frozen=True, slots=True)
class _Entry:
    """One element or text of a page."""

    depth: int
    kind: str
    # An element's own style, its sizes and that of the words around it.
    style: str = ""
    sizes: str = ""
    around: str = ""
    # Where in a text which style begins, and its spaces.
    runs: tuple[tuple[int, str], ...] = ()
    spaces: str = ""

    @property
    def shape(self) -> tuple[int, str, str, str]:
        return self.depth, self.kind, self.style, self.around


class Look:
    """How one page is made; what is in `noise` each build makes anew."""

    def __init__(self, page: Page, noise: Collection[str] = ()) -> None:
        self._styles = [without(style, noise) if noise else style for style in page.styles] or [""]
        self.texts = page.texts
        self.entries = [self._entry(*found.groups()) for found in _ENTRY.finditer(page.look)]
        # The texts among the entries, in their order.
        self.places = [place for place, entry in enumerate(self.entries) if entry.kind == "t"]
        self._above = list(_above(self.entries))

    def _entry(self, depth: str, kind: str, rest: str, spaces: str | None) -> _Entry:
        if kind == "t":
            runs = (run.partition("@") for run in rest.split(",") if run)
            known = tuple((int(place), self._styles[int(style)]) for place, _, style in runs)
            return _Entry(int(depth), kind, runs=known, spaces=spaces or "")
        own, _, around = rest.partition("@")
        number, _, sizes = own.partition("/")
        return _Entry(
            int(depth), kind, self._styles[int(number)], self._styles[int(sizes or 0)], self._styles[int(around or 0)]
        )

    def chains(self) -> list[int]:
        """Return for each entry a mark of what it stands in, down to itself."""
        found: list[int] = []
        for entry, above in zip(self.entries, self._above, strict=True):
            found.append(hash((found[above] if above is not None else 0, entry.kind, entry.style, entry.around)))
        return found

    def alone(self, texts: Collection[int]) -> set[int]:
        """Return the entries that came, or went, with these texts: what holds no other text, and their breaks."""
        theirs = {self.places[text] for text in texts if text < len(self.places)}
        around, elsewhere = self._around(theirs), self._around(set(self.places) - theirs)
        found = set(theirs)
        for place, above in enumerate(self._above):
            holds_only_theirs = place in around and place not in elsewhere
            if holds_only_theirs or (above in found and place not in elsewhere and self.entries[place].kind != "t"):
                found.add(place)
        return found | set(self._breaks(theirs, found))

    def _around(self, texts: Collection[int]) -> set[int]:
        """Return everything in which these texts stand."""
        found: set[int] = set()
        for place in texts:
            above = self._above[place]
            while above is not None and above not in found:
                found.add(above)
                above = self._above[above]
        return found

    def _breaks(self, texts: Collection[int], taken: Collection[int]) -> Iterator[int]:
        used: set[int] = set(taken)
        for place in sorted(texts):
            for near in (place - 1, place + 1):
                if 0 <= near < len(self.entries) and self.entries[near].kind == "b" and near not in used:
                    used.add(near)
                    yield near
                    break


def find_otherwise(
    before: Look, after: Look, texts: Sequence[tuple[int | None, int | None]], *, has_pictures: tuple[bool, bool]
) -> list[str]:
    """Return what looks otherwise: an element and its attribute, each once.

    `texts` are the places of those that differ, and `has_pictures` tells whether pictures came, and went.
    """
    gone = before.alone([one for one, other in texts if one is not None and other is None])
    come = after.alone([other for one, other in texts if other is not None and one is None])
    found = [*_new_styles(before, after, come), *_in_texts(before, after, texts)]
    kept_before = [entry for place, entry in enumerate(before.entries) if place not in gone]
    kept_after = [entry for place, entry in enumerate(after.entries) if place not in come]
    found += _in_elements(kept_before, kept_after, has_pictures)
    return sorted(set(found))


def _above(entries: Sequence[_Entry]) -> Iterator[int | None]:
    open_: list[int] = []
    for place, entry in enumerate(entries):
        while open_ and entries[open_[-1]].depth >= entry.depth:
            open_.pop()
        yield open_[-1] if open_ else None
        open_.append(place)


def _new_styles(before: Look, after: Look, come: Collection[int]) -> Iterator[str]:
    """Find what came with a new text and looks like nothing that was there."""
    if not come:
        return
    known, styles = set(before.chains()), {style for entry in before.entries for _, style in entry.runs} | {""}
    chains = after.chains()
    for place in sorted(come):
        entry = after.entries[place]
        if chains[place] not in known:
            yield from _all_keys(entry.style) or [MOVED]
        yield from (key for _, style in entry.runs if style not in styles for key in _all_keys(style))


def _in_elements(before: list[_Entry], after: list[_Entry], has_pictures: tuple[bool, bool]) -> Iterator[str]:
    shapes_before, shapes_after = [entry.shape for entry in before], [entry.shape for entry in after]
    if shapes_before == shapes_after:
        if not any(has_pictures):
            yield from (key for one, other in zip(before, after, strict=True) for key in keys(one.sizes, other.sizes))
        return
    known = {*shapes_before} & {*shapes_after}
    for from_a, to_a, from_b, to_b in differences(shapes_before, shapes_after):
        gone, come = before[from_a:to_a], after[from_b:to_b]
        if len(gone) == len(come) and all(_is_same_place(*each) for each in zip(gone, come, strict=True)):
            yield from (key for one, other in zip(gone, come, strict=True) for key in _changed(one, other))
        elif not (_is_of_pictures(gone, known, has_pictures[1]) and _is_of_pictures(come, known, has_pictures[0])):
            yield MOVED
            yield from (key for entry in come if entry.shape not in known for key in _all_keys(entry.style))


def _all_keys(style: str) -> list[str]:
    """Return every attribute of what is new."""
    return [
        f"{_tag_of(each)} {name}".strip() for each in style.split(INSIDE) for name in (*_attributes(each), "") if each
    ]


def _is_same_place(one: _Entry, other: _Entry) -> bool:
    return one.depth == other.depth and one.kind == other.kind and _tag_of(one.style) == _tag_of(other.style)


def _changed(one: _Entry, other: _Entry) -> Iterator[str]:
    yield from keys(one.style, other.style)
    if one.around != other.around:
        yield from keys(one.around, other.around)


def _is_of_pictures(entries: Sequence[_Entry], known: Collection[tuple[int, str, str, str]], is_told: bool) -> bool:  # noqa: FBT001 - one of a pair
    """Tell whether only pictures came or went, each told by itself, in elements like those that stay."""
    if not entries:
        return True
    has_any = any(entry.kind == "i" for entry in entries)
    return is_told and has_any and all(entry.kind == "i" or entry.shape in known for entry in entries)


def _in_texts(before: Look, after: Look, texts: Sequence[tuple[int | None, int | None]]) -> Iterator[str]:
    """Compare how the words of each text look: of the same ones all, of changed ones those that stayed."""
    changed = {one: other for one, other in texts if one is not None and other is not None}
    lone_before = {one for one, other in texts if other is None}
    lone_after = {other for one, other in texts if one is None}
    rest_before = (place for place in range(len(before.places)) if place not in lone_before)
    rest_after = (place for place in range(len(after.places)) if place not in lone_after)
    for one, other in zip(rest_before, rest_after, strict=False):
        was, is_now = before.entries[before.places[one]], after.entries[after.places[other]]
        if one not in changed:
            if (was.runs, was.spaces) != (is_now.runs, is_now.spaces):
                yield from _changed_runs(was, is_now)
        elif was.runs != is_now.runs and not _look_the_same(before.texts[one], was, after.texts[other], is_now):
            yield from _changed_runs(was, is_now)


def _changed_runs(was: _Entry, is_now: _Entry) -> Iterator[str]:
    one, other = [style for _, style in was.runs], [style for _, style in is_now.runs]
    if len(one) == len(other) and one != other:
        yield from (key for each in zip(one, other, strict=True) for key in keys(*each))
    else:
        yield MOVED


def _look_the_same(before: str, was: _Entry, after: str, is_now: _Entry) -> bool:
    """Tell whether words that stayed look as they did, and new ones like others in this text."""
    old, new = _words(before, was), _words(after, is_now)
    if max(len(old), len(new)) > _MOST_WORDS:
        return {style for _, style in old} >= {style for _, style in new}
    styles = {style for _, style in old} | {("",)}
    place = 0
    for from_a, to_a, from_b, to_b in (
        *differences([w for w, _ in old], [w for w, _ in new]),
        (len(old),) * 2 + (len(new),) * 2,
    ):
        stayed = from_a - place
        if [style for _, style in old[place:from_a]] != [style for _, style in new[from_b - stayed : from_b]]:
            return False
        if any(style not in styles for _, style in new[from_b:to_b]):
            return False
        place = to_a
    return True


def _words(text: str, entry: _Entry) -> list[tuple[str, tuple[str, ...]]]:
    """Return each word with the styles in it."""
    found, begins, run, style = [], 0, 0, ""
    for word in text.split(" "):
        styles = []
        while run < len(entry.runs) and entry.runs[run][0] <= begins:
            style = entry.runs[run][1]
            run += 1
        styles.append(style)
        while run < len(entry.runs) and entry.runs[run][0] < begins + len(word):
            style = entry.runs[run][1]
            styles.append(style)
            run += 1
        found.append((word, tuple(styles)))
        begins += len(word) + 1
    return found


def keys(before: str, after: str) -> Iterator[str]:
    """Yield which attributes of which elements differ in two styles."""
    if before == after:
        return
    one, other = before.split(INSIDE), after.split(INSIDE)
    if len(one) != len(other) or any(_tag_of(a) != _tag_of(b) for a, b in zip(one, other, strict=True)):
        yield MOVED
        return
    for was, is_now in zip(one, other, strict=True):
        had, has = _attributes(was), _attributes(is_now)
        yield from (f"{_tag_of(was)} {name}".strip() for name in {*had, *has} if had.get(name) != has.get(name))


def without(style: str, noise: Collection[str]) -> str:
    """Return a style without the attributes that are noise."""
    parts = []
    for each in style.split(INSIDE):
        tag, *attributes = each.split("\n")
        kept = (text for text in attributes if f"{tag} {text.partition('=')[0]}".strip() not in noise)
        parts.append("\n".join((tag, *kept)))
    return INSIDE.join(parts)


def _attributes(style: str) -> dict[str, str]:
    return {text.partition("=")[0]: text for text in style.split("\n")[1:]}


def _tag_of(style: str) -> str:
    return style.partition("\n")[0]
