"""The pictures of an answer: what changed, before and after, with alternative texts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count, groupby
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured, Refused
from webordinary.jobs.lines import PictureLine, read_lines
from webordinary.reply.compose import Picture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from webordinary.reply.words import Phrases

PHONE = "phone"


@dataclass(frozen=True, slots=True)
class Scene:
    """One page on one kind of screen, on both sides of the change or on the one that there is."""

    heading: str
    pictures: tuple[Picture, ...]
    is_narrow: bool = False


def read_scenes(fact: str, phrases: Phrases, read_file: Callable[[str], bytes], domain: str) -> tuple[Scene, ...]:
    """Return what the answer shows; a picture that is no longer kept is left out, and the answer goes out without."""
    lines = [line for line in read_lines(PictureLine, fact) if line.is_whole]
    scenes = []
    numbers = count(1)
    for (path, screen), group in groupby(lines, key=lambda line: (line.path, line.screen)):
        shown = list(group)
        heading = phrases.pictures[screen].format(shown[0].title or path)
        names = (f"picture-{next(numbers)}.{line.digest[:16]}@{domain}" for line in shown)
        pictures = tuple(_pictures(zip(names, shown, strict=True), heading, phrases, read_file))
        if pictures:
            scenes.append(Scene(heading, pictures, is_narrow=screen == PHONE))
    return tuple(scenes)


def _pictures(
    named: Iterable[tuple[str, PictureLine]], heading: str, phrases: Phrases, read_file: Callable[[str], bytes]
) -> Iterator[Picture]:
    for cid, line in named:
        try:
            content = read_file(line.digest)
        except (Refused, Misconfigured, OSError):
            # Gone for good, or not ours to read; what may pass delays the letter instead.
            continue
        alt = phrases.pictures[f"{line.side}_alt"].format(heading)
        yield Picture(cid, alt, line.subtype, content, caption=phrases.pictures[line.side])
