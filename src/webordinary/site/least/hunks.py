"""The hunks of a changed text, finer than lines: a tag, a sentence, or the space and the comments between two of them.

Tokens are compared by what they mean: the order and the quotes of attributes, character references and the space inside
of a text make no difference. What differs only so is a hunk too, and is known as one of form.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from html import unescape
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING

from webordinary.site.checks.explained import is_of_figures

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_GAP = re.compile(r"(?:\s|\ufeff|<!--.*?-->)*", re.DOTALL)
_SPACE = re.compile(r"[\s\ufeff]*")
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[A-Za-z][\w:-]*)(?P<attributes>(?:\"[^\"]*\"|'[^']*'|[^<>\"'])*)>|<[!?][A-Za-z][^<>]*>"
)
# A text ends with its line, with its sentence, or where a tag begins.
_CLOSING = "[\"'”»)\\]]{0,3}"
_TEXT = re.compile(rf"(?:[^<\n.!?…]|[.!?…](?!{_CLOSING}\s)|<(?![A-Za-z/!?]))+(?:[.!?…]{_CLOSING}(?=\s))?|[.!?…<]")
_ATTRIBUTE = re.compile(
    r"(?P<name>[^\s=\"'/]+)(?:\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"'>]+)))?"
)
_TEMPLATE = re.compile(r"[{}%]")
_NO_END = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
})  # fmt: skip
# Beyond that the middle of a text is one hunk: finding the smallest would take longer than it is worth.
_MOST_TOKENS, _MOST_PAIRS, _FARTHEST = 6_000, 2_000_000, 40
_LONGEST = 200_000


@dataclass(frozen=True, slots=True)
class Hunk:
    """One place of a text: what stood there, and what stands there now."""

    before: str
    after: str
    # Only how it is written differs: space, comments, the order of attributes.
    is_form: bool = False
    is_tag: bool = False
    # It is what stands between two tokens.
    is_gap: bool = False

    @property
    def differs(self) -> bool:
        return self.before != self.after

    @property
    def is_one_sided(self) -> bool:
        """Whether something came, or went, and nothing took its place."""
        return not self.is_form and not (self.before and self.after)


@dataclass(frozen=True, slots=True)
class _Token:
    gap: str
    text: str
    meaning: str

    @property
    def whole(self) -> str:
        return self.gap + self.text

    @property
    def depth(self) -> int:
        """How many elements it opens, or -1 if it ends one."""
        found = _TAG.fullmatch(self.text)
        if found is None or not found["name"] or found["name"].lower() in _NO_END or self.text.endswith("/>"):
            return 0
        return -1 if found["end"] else 1


@dataclass(frozen=True, slots=True)
class _Step:
    """A stretch of both texts."""

    begin: int
    end: int
    first: int
    last: int
    is_same: bool = False


def find_hunks(before: str, after: str) -> list[Hunk]:
    """Return the whole text in its order, with what stayed; the befores together are the one, the afters the other."""
    if max(len(before), len(after)) > _LONGEST:
        return [Hunk(before, after)]
    (old, last), (new, last_now) = _tokens(before), _tokens(after)
    steps = _slid(_steps(old, new), old, new)
    hunks = [hunk for step in steps for hunk in _of_step(step, old, new)]
    return _with_their_space([*hunks, Hunk(last, last_now, is_form=True, is_gap=True)])


def _with_their_space(hunks: list[Hunk]) -> list[Hunk]:
    """Put what stands behind a token that came or went together with it: an empty line, or the same as a comment."""
    found: list[Hunk] = []
    for hunk in hunks:
        if found and hunk.differs and found[-1].differs and hunk.is_gap and found[-1].is_one_sided:
            last = found.pop()
            found.append(Hunk(last.before + hunk.before, last.after + hunk.after))
        else:
            found.append(hunk)
    return found


def put_together(hunks: Sequence[Hunk], out: Collection[int]) -> str:
    """Return the text as it is now, with what stood there before in place of some hunks."""
    return "".join(hunk.before if number in out else hunk.after for number, hunk in enumerate(hunks))


def _tokens(text: str) -> tuple[list[_Token], str]:
    """Return the tokens, each with the gap before it, and the gap behind the last."""
    found: list[_Token] = []
    at, last_comment = 0, text.rfind("-->")
    while True:
        gap = (_GAP if at < last_comment else _SPACE).match(text, at)
        begin = gap.end() if gap else at
        if begin == len(text):
            return found, text[at:]
        piece = _token_at(text, begin)
        found.append(_Token(text[at:begin], piece, _meaning(piece)))
        at = begin + len(piece)


def _token_at(text: str, begin: int) -> str:
    if (tag := _TAG.match(text, begin)) is not None:
        return tag[0]
    run = _TEXT.match(text, begin)
    return run[0].rstrip() if run else text[begin]


def _meaning(token: str) -> str:
    found = _TAG.fullmatch(token)
    if found is None or not found["name"] or _TEMPLATE.search(token):
        return " ".join(unescape(token).split())
    given = sorted(
        f"{each['name'].lower()}={each['double'] or each['single'] or each['bare'] or ''}"
        for each in _ATTRIBUTE.finditer(found["attributes"].rstrip("/"))
    )
    return f"<{found['end']}{found['name'].lower()} {unescape(' '.join(given))}>"


def _shared(one: Sequence[_Token], other: Sequence[_Token]) -> int:
    """Return how many tokens both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0].meaning == pair[1].meaning, zip(one, other, strict=False)))


def _steps(old: Sequence[_Token], new: Sequence[_Token]) -> list[_Step]:
    """Return how one becomes the other, as places in both: what stayed, and what did not, by turns."""
    ahead = _shared(old, new)
    behind = _shared(old[ahead:][::-1], new[ahead:][::-1])
    end, last = len(old) - behind, len(new) - behind
    middle = [_Step(ahead, end, ahead, last)]
    if max(end, last) - ahead <= _MOST_TOKENS:
        was, now = ([token.meaning for token in tokens] for tokens in (old[ahead:end], new[ahead:last]))
        had = Counter(was)
        is_quick = sum(count * had[meaning] for meaning, count in Counter(now).items()) <= _MOST_PAIRS
        found = SequenceMatcher(None, was, now, autojunk=not is_quick).get_opcodes()
        middle = [
            _Step(begin + ahead, stop + ahead, first + ahead, until + ahead, is_same=kind == "equal")
            for kind, begin, stop, first, until in found
        ]
    steps = [_Step(0, ahead, 0, ahead, is_same=True), *middle, _Step(end, len(old), last, len(new), is_same=True)]
    return [step for step in steps if step.end > step.begin or step.last > step.first]


def _slid(steps: list[_Step], old: Sequence[_Token], new: Sequence[_Token]) -> list[_Step]:
    """Move what came or went to where it is a whole element: "</li><li>B" is "<li>B</li>" one token earlier."""
    for number in range(1, len(steps)):
        stayed, step = steps[number - 1], steps[number]
        tokens, begin, end = (new, step.first, step.last) if step.begin == step.end else (old, step.begin, step.end)
        is_one_sided = step.is_same is False and (step.begin == step.end or step.first == step.last)
        if not is_one_sided or not stayed.is_same:
            continue
        most = min(stayed.end - stayed.begin, end - begin, _FARTHEST)
        for by in range(most):
            if _is_whole(tokens[begin - by : end - by]):
                _shift(steps, number, by)
                break
            if tokens[begin - by - 1].meaning != tokens[end - by - 1].meaning:
                break
    return [step for step in steps if step.end > step.begin or step.last > step.first]


def _shift(steps: list[_Step], number: int, by: int) -> None:
    if not by:
        return
    before, step = steps[number - 1], steps[number]
    steps[number - 1] = replace(before, end=before.end - by, last=before.last - by)
    steps[number] = _Step(step.begin - by, step.end - by, step.first - by, step.last - by)
    if number + 1 < len(steps):
        behind = steps[number + 1]
        steps[number + 1] = replace(behind, begin=behind.begin - by, first=behind.first - by)
    else:
        steps.append(_Step(step.end - by, step.end, step.last - by, step.last, is_same=True))


def _of_step(step: _Step, old: Sequence[_Token], new: Sequence[_Token]) -> Iterator[Hunk]:
    some, others = old[step.begin : step.end], new[step.first : step.last]
    if not step.is_same and some and others and (whole := _one(some, others)).is_form:
        yield whole
    elif len(some) == len(others) <= _MOST_TOKENS or step.is_same:
        yield from _paired(some, others)
    elif some and others:
        yield from _unequal(some, others)
    else:
        yield from _one_sided(some, others)


def _unequal(old: Sequence[_Token], new: Sequence[_Token]) -> Iterator[Hunk]:
    """Yield what begins or ends with another figure apart: a new price is one thing, a new row behind it another."""
    ahead = int(is_of_figures(old[0].text, new[0].text))
    is_left = min(len(old), len(new)) > ahead
    behind = int(is_left and is_of_figures(old[-1].text, new[-1].text))
    was, now = old[ahead : len(old) - behind], new[ahead : len(new) - behind]
    yield from _paired(old[:ahead], new[:ahead])
    if was and now:
        yield _one(was, now)
    else:
        yield from _one_sided(was, now)
    yield from _paired(old[len(old) - behind :], new[len(new) - behind :])


def _one_sided(old: Sequence[_Token], new: Sequence[_Token]) -> Iterator[Hunk]:
    yield from (_one(part, ()) if old else _one((), part) for part in _elements(old or new))


def _paired(old: Sequence[_Token], new: Sequence[_Token]) -> Iterator[Hunk]:
    for was, now in zip(old, new, strict=True):
        yield Hunk(was.gap, now.gap, is_form=True, is_gap=True)
        is_tag = was.text.startswith("<") and now.text.startswith("<")
        yield Hunk(was.text, now.text, is_form=was.meaning == now.meaning, is_tag=is_tag)


def _one(old: Sequence[_Token], new: Sequence[_Token]) -> Hunk:
    """Return one hunk of several tokens; where lines were broken otherwise all of them mean the same."""
    same = " ".join(token.meaning for token in old) == " ".join(token.meaning for token in new)
    return Hunk("".join(token.whole for token in old), "".join(token.whole for token in new), is_form=same)


def _is_whole(tokens: Sequence[_Token]) -> bool:
    """Tell whether these are elements and texts, of which none is torn."""
    depths = list(accumulate(token.depth for token in tokens))
    return not depths or (min(depths) >= 0 and depths[-1] == 0)


def _elements(tokens: Sequence[_Token]) -> Iterator[Sequence[_Token]]:
    """Yield what came or went element by element, or all of it where the elements are not whole."""
    if not _is_whole(tokens):
        yield tokens
        return
    depth, begin = 0, 0
    for at, token in enumerate(tokens, start=1):
        depth += token.depth
        if depth == 0:
            yield tokens[begin:at]
            begin = at
