"""`make pictures`: starts the real demo, looks at it in a real browser, and keeps what is seen and what is answered."""

from __future__ import annotations

import io
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from playwright.sync_api import sync_playwright

from handbook.shelf import DOCS, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

PICTURES = DOCS / "pictures"
# No picture makes the first look at the repository slow.
LARGEST = 150_000
_PROGRAM = Path(sys.executable).with_name("webordinary")
_PLAYED = "Send another mail"
_ADDRESS = re.compile(r"^Open the demo: +(http\S+)$", re.MULTILINE)
_ANSWER = re.compile(r"^The owner gets this answer:\n((?:  \| ?.*\n)+)", re.MULTILINE)
_SHOWN_PICTURE = re.compile(r"(?<=<!-- picture: taken by `make pictures` -->\n)!\[.*?\]\(.*?\)")
_PICTURE = (
    "![The demo in a browser: the owner's phone with a mail and its answer, the changed site, and what happened inside,"
    " step by step](docs/pictures/demo.png)"
)
_SHOWN_ANSWER = re.compile(r"(?<=<!-- answer: written by `make pictures` -->\n```text\n).*?(?=```\n)", re.DOTALL)
# In each run they are others; the documents keep these.
_PORT, _KEY_LETTERS = "36829", 16
_PATIENCE_MS = 120_000


def main() -> int:
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        sys.stderr.write(
            "There is no chromium here: install it (apt install chromium) and run the same command again.\n"
        )
        return 1
    with tempfile.TemporaryDirectory(prefix="webordinary-pictures-") as place:
        folder = Path(place) / "demo"
        with _demo(folder) as said, _browser(program) as page:
            page.goto(_page_of(said, folder))
            if (inside := page.get_by_role("button", name="Open the dashboard")).count():
                inside.click()
            page.wait_for_load_state("load", timeout=_PATIENCE_MS)
            kept = _keep(page.screenshot(), PICTURES / "demo.png")
    _show(_answer_in(said), has_page=_ADDRESS.search(said) is not None)
    sys.stdout.write(f"{kept.relative_to(ROOT)}: {kept.stat().st_size} bytes; README has the answer of this run.\n")
    return 0


@contextmanager
def _demo(folder: Path) -> Iterator[str]:
    """Run the demo until its first mail is answered, and on until the pictures are taken; what it said is returned."""
    process = subprocess.Popen(  # noqa: S603 - our own program
        [_PROGRAM, "demo", "--folder", folder],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "COLUMNS": "200", "TERM": "dumb"},
    )
    try:
        yield "".join(_lines_until_played(process))
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate()


def _lines_until_played(process: subprocess.Popen[str]) -> Iterator[str]:
    assert process.stdout is not None  # noqa: S101 - it was asked for
    for line in process.stdout:
        yield line
        if line.startswith(_PLAYED):
            return
    raise SystemExit("The demo ended before its first mail was answered: `make demo` shows why.")


def _page_of(said: str, folder: Path) -> str:
    """Return the address that the demo has printed; one that has no page is looked at in its dashboard."""
    if (found := _ADDRESS.search(said)) is not None:
        return found[1]
    config = ["--config", str(folder / "webordinary.toml")]
    asked = subprocess.run([_PROGRAM, *config, "dashboard", "--no-browser"], capture_output=True, text=True, check=True)  # noqa: S603 - our own program
    return asked.stdout.split()[0]


@contextmanager
def _browser(program: str) -> Iterator[Page]:
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=[*flags, "--disable-gpu", "--hide-scrollbars"])
        try:
            page = browser.new_page(viewport={"width": 1360, "height": 820}, color_scheme="light", locale="en-GB")
            page.set_default_timeout(_PATIENCE_MS)
            yield page
        finally:
            browser.close()


def _keep(picture: bytes, target: Path) -> Path:
    """Keep a picture of a screen with as few colours as it takes to stay small."""
    with Image.open(io.BytesIO(picture)) as seen:
        for colours in (256, 128, 64):
            seen.convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(target, optimize=True)
            if target.stat().st_size <= LARGEST:
                break
    return target


def _answer_in(said: str) -> str:
    """Return the answer of this run, with the port and the key that the documents always show."""
    found = _ANSWER.search(said)
    if found is None:
        raise SystemExit("The demo showed no answer: `make demo` shows why.")
    answer = re.sub(r"^  \| ?", "", found[1], flags=re.MULTILINE)
    answer = re.sub(r"localhost:\d+", f"localhost:{_PORT}", answer)
    return re.sub(rf"<re\+(\w{{{_KEY_LETTERS}}})\w*@", r"<re+\1…@", answer)


def _show(answer: str, *, has_page: bool) -> None:
    """Put the answer into README, and the picture if it is one of the demo's own page."""
    readme = ROOT / "README.md"
    text = _SHOWN_ANSWER.sub(lambda _: answer, readme.read_text(encoding="utf-8"))
    readme.write_text(_SHOWN_PICTURE.sub(lambda _: _PICTURE, text) if has_page else text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
