"""The outline of a page: its texts and pictures in their order, each with the place that it takes on the screen.

Pixels alone cannot tell what changed: one more line moves everything below it, and by fractions of a pixel.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST = 4000

# Runs in the page, so what it returns is believed no more than the page itself.
LOOK = """
() => {
  const pieces = new Map();
  const box = (rect) => [rect.left + scrollX, rect.top + scrollY, rect.right + scrollX, rect.bottom + scrollY];
  const add = (element, words, rect) => {
    const [left, top, right, bottom] = box(rect);
    if (right - left < 1 || bottom - top < 1) return;
    const found = pieces.get(element) || { words: '', source: '', left, top, right, bottom };
    found.words += words;
    found.left = Math.min(found.left, left); found.top = Math.min(found.top, top);
    found.right = Math.max(found.right, right); found.bottom = Math.max(found.bottom, bottom);
    pieces.set(element, found);
    return found;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  while (walker.nextNode() && pieces.size < MOST) {
    const node = walker.currentNode;
    if (node.nodeType === Node.TEXT_NODE) {
      if (!node.data.trim()) continue;
      let element = node.parentElement;
      while (element.parentElement && getComputedStyle(element).display === 'inline') element = element.parentElement;
      const range = document.createRange();
      range.selectNodeContents(node);
      const style = getComputedStyle(node.parentElement);
      if (style.visibility === 'hidden') continue;
      const words = `${node.data} ${style.color} ${style.fontWeight} ${style.fontFamily};`;
      add(element, words, range.getBoundingClientRect());
    } else if (node.localName === 'img' || node.localName === 'input') {
      const found = add(node, node.alt || node.placeholder || '', node.getBoundingClientRect());
      if (found && node.currentSrc) found.source = node.currentSrc;
    }
  }
  return JSON.stringify([...pieces.values()]);
}
""".replace("MOST", str(_MOST))


class Box(NamedTuple):
    """A rectangle on a page."""

    left: int
    top: int
    right: int
    bottom: int

    def moved(self, right: int, down: int) -> Box:
        return Box(self.left + right, self.top + down, self.right + right, self.bottom + down)

    def joined(self, other: Box) -> Box:
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


class Piece(NamedTuple):
    """One text or picture: what it is, and where."""

    mark: str
    box: Box


class _Told(msgspec.Struct, frozen=True):
    words: str
    source: str
    left: float
    top: float
    right: float
    bottom: float


def read_outline(told: str, read: Callable[[str], bytes]) -> list[Piece]:
    """Return the pieces of a page; `read` returns the content of a picture, which counts and not its name."""
    try:
        found = msgspec.json.decode(told, type=list[_Told])
        return [_piece(each, read) for each in found[:_MOST]]
    except (msgspec.MsgspecError, ValueError, OverflowError):
        return []


def _piece(told: _Told, read: Callable[[str], bytes]) -> Piece:
    mark = " ".join(told.words.split())
    if told.source:
        mark += hashlib.sha256(read(told.source) or told.source.encode()).hexdigest()
    return Piece(mark, Box(int(told.left), int(told.top), int(told.right + 1), int(told.bottom + 1)))
