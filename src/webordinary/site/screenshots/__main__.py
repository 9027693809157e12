"""The process that takes pictures: a list of pages on stdin, one line on stdout for each picture that lies beside it.

The process that started it may end it at any moment; what it has told by then is whole.
"""

from __future__ import annotations

import ctypes
import io
import json
import select
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

from webordinary.site.screenshots.compare import cut, show_difference
from webordinary.site.screenshots.shoot import SIZES, NotSeen, Stage, look, open_browser
from webordinary.site.screenshots.shot import Screen, Side

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from webordinary.site.screenshots.compare import Seen


_QUALITIES = (82, 68, 52)
_SIZES = (1.0, 0.75, 0.5)


def encode(picture: Image.Image, width: int, most: int) -> tuple[str, Image.Image, bytes] | None:
    """Return the format, the picture as it was kept and its bytes; None when it does not become small enough."""
    for size in _SIZES:
        kept = _scaled(picture, min(picture.width, round(width * size)))
        for subtype, content in _versions(kept):
            if len(content) <= most:
                return subtype, kept, content
    return None


def _scaled(picture: Image.Image, width: int) -> Image.Image:
    if picture.width == width:
        return picture
    height = max(1, round(picture.height * width / picture.width))
    return picture.resize((width, height), Image.Resampling.LANCZOS)


def _versions(picture: Image.Image) -> Iterator[tuple[str, bytes]]:
    """Return the better of both formats first: few colours are sharp and small as PNG, photos are smaller as JPEG."""
    png = _saved(picture.quantize(256, dither=Image.Dither.NONE), "PNG", optimize=True)
    jpeg = _saved(picture, "JPEG", quality=_QUALITIES[0], subsampling=0, optimize=True)
    yield min((("png", png), ("jpeg", jpeg)), key=lambda version: len(version[1]))
    for quality in _QUALITIES[1:]:
        yield "jpeg", _saved(picture, "JPEG", quality=quality, optimize=True)


def _saved(picture: Image.Image, kind: str, **options: int) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


_DIE_WITH_PARENT = 1


def main() -> int:
    """Take the pictures that are asked for on stdin, into the current folder."""
    # Without a sandbox nobody else would end us when our caller is gone.
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    if _nobody_listens():
        return 1
    asked = json.load(sys.stdin)
    stages = {Side(side): Stage(Path(folder)) for side, folder in asked["builds"].items()}
    try:
        with open_browser(asked["browser"], asked["deadline"], has_walls=asked["has_walls"]) as browser:
            for number, view in enumerate(asked["views"]):
                _try(browser, stages, view, asked | {"number": number})
    except NotSeen as problem:
        _tell({"problem": str(problem)})
    return 0


def _nobody_listens() -> bool:
    """Tell whether our caller was gone before the kernel was told to end us then."""
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _try(browser: Browser, stages: dict[Side, Stage], view: dict[str, Any], asked: dict[str, Any]) -> None:
    try:
        _take(browser, stages, view, asked)
    except NotSeen as problem:
        _tell({"problem": f"{view['path']}: {problem}"})
        if not browser.is_connected():
            raise


def _take(browser: Browser, stages: dict[Side, Stage], view: dict[str, Any], asked: dict[str, Any]) -> None:
    for screen in Screen:
        seen = {
            Side(side): look(browser, stages[Side(side)], view["path"], screen, asked["patience"])
            for side in view["sides"]
        }
        for side, picture in _prepared(seen, screen).items():
            _keep(picture, {"number": asked["number"], "screen": screen, "side": side}, asked["bytes_each"])


def _prepared(seen: dict[Side, Seen], screen: Screen) -> dict[Side, Image.Image]:
    """Return what is worth showing: the place of the difference on both sides, or the one side that there is."""
    size = SIZES[screen]
    if len(seen) == 1:
        return {side: cut(each.picture, size.shown.most) for side, each in seen.items()}
    shown = show_difference(seen[Side.BEFORE], seen[Side.AFTER], size.shown)
    return dict(zip((Side.BEFORE, Side.AFTER), shown, strict=True)) if shown else {}


def _keep(picture: Image.Image, told: dict[str, Any], most: int) -> None:
    encoded = encode(picture, SIZES[told["screen"]].kept, most)
    if encoded is None:
        _tell({"problem": f"a picture of page {told['number']} does not become small enough"})
        return
    subtype, kept, content = encoded
    name = f"{told['number']}-{told['screen']}-{told['side']}"
    Path(name).write_bytes(content)
    _tell(told | {"file": name, "subtype": subtype, "width": kept.width, "height": kept.height})


def _tell(said: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
