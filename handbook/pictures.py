"""`make pictures`: starts the real demo, writes a mail in a real browser, and keeps what is seen and answered."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image
from playwright.sync_api import expect, sync_playwright

from handbook.shelf import DOCS, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

PICTURES = DOCS / "pictures"
# No picture makes the first look at the repository slow.
LARGEST = 200_000
_PROGRAM = Path(sys.executable).with_name("webordinary")
_PLAYED = "Send another mail"
_ADDRESS = re.compile(r"^Open the demo: +(http\S+)$", re.MULTILINE)
# What README shows is written between these words and the end of a block.
_SHOWN = r"(?<=<!-- {}: written by `make pictures` -->\n```text\n).*?(?=```\n)"
# In each run they are others; the documents keep these.
_PORT, _KEY_LETTERS = "36829", 16
_PATIENCE_MS = 120_000
_COLOURS = (256, 128, 64)


def main() -> int:
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        sys.stderr.write(
            "There is no chromium here: install it (apt install chromium) and run the same command again.\n"
        )
        return 1
    expect.set_options(timeout=_PATIENCE_MS)
    with tempfile.TemporaryDirectory(prefix="webordinary-pictures-") as place:
        folder = Path(place) / "demo"
        with _demo(folder) as address, _browser(program) as browser:
            kept = _look(browser, address)
            talk = _newest_talk(folder)
    _show(_own_mail(talk), _answer(talk))
    for picture in kept:
        sys.stdout.write(f"{picture.relative_to(ROOT)}: {picture.stat().st_size} bytes\n")
    sys.stdout.write("README.md: the mail and the answer of this run\n")
    return 0


@contextmanager
def _demo(folder: Path) -> Iterator[str]:
    """Run the demo until its first mail is answered, and on until the pictures are taken; yield its address."""
    process = subprocess.Popen(  # noqa: S603 - our own program
        [_PROGRAM, "demo", "--folder", folder],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "COLUMNS": "200", "TERM": "dumb"},
    )
    try:
        found = _ADDRESS.search("".join(_lines_until_played(process)))
        if found is None:
            raise SystemExit("The demo printed no address: `make demo` shows why.")
        yield found[1]
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


@contextmanager
def _browser(program: str) -> Iterator[Browser]:
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=[*flags, "--disable-gpu", "--hide-scrollbars"])
        try:
            yield browser
        finally:
            browser.close()


def _look(browser: Browser, address: str) -> list[Path]:
    """Take the first suggestion, wait for what comes of it, and keep the page and the answer as they look."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, device_scale_factor=1.5, color_scheme="light", locale="en-GB"
    )
    context.set_default_timeout(_PATIENCE_MS)
    page = context.new_page()
    page.goto(address)
    page.get_by_role("button", name="Send this mail").click()
    expect(page.locator("#talks .mail.other").last).to_contain_text("€2.50")
    expect(page.frame_locator("#frame iframe").locator("body")).to_contain_text("€2.50")
    page.wait_for_load_state("networkidle")
    demo = _keep(page.screenshot(), PICTURES / "demo.png")
    with page.expect_popup() as opened:
        page.locator("#talks .as-is a").last.click()
    return [demo, _keep(_as_it_looks(opened.value), PICTURES / "answer.png")]


def _as_it_looks(letter: Page) -> bytes:
    letter.set_viewport_size({"width": 640, "height": 400})
    letter.wait_for_load_state("load")
    return letter.screenshot(full_page=True)


def _keep(picture: bytes, target: Path) -> Path:
    """Keep a picture of a screen with as few colours as it takes to stay small."""
    with Image.open(io.BytesIO(picture)) as seen:
        for colours in _COLOURS:
            seen.convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(target, optimize=True)
            if target.stat().st_size <= LARGEST:
                break
    return target


def _newest_talk(folder: Path) -> dict[str, Any]:
    asked = subprocess.run(  # noqa: S603 - our own program
        [_PROGRAM, "demo", "mailbox", "--json", "--folder", folder], capture_output=True, text=True, check=True
    )
    newest: dict[str, Any] = json.loads(asked.stdout)[0]
    return newest


def _own_mail(talk: dict[str, Any]) -> str:
    mail = talk["mails"][0]
    return f"From: {mail['from']}\nSubject: {mail['subject']}\n\n{mail['text']}\n"


def _answer(talk: dict[str, Any]) -> str:
    """Return the answer of this run, with the port and the key that the documents always show."""
    mail = talk["mails"][-1]
    text = f"From: {mail['from']}\nSubject: {mail['subject']}\n\n{mail['text']}\n"
    text = re.sub(r"localhost:\d+", f"localhost:{_PORT}", text)
    return re.sub(rf"<re\+(\w{{{_KEY_LETTERS}}})\w*@", r"<re+\1…@", text)


def _show(mail: str, answer: str) -> None:
    """Put the mail and the answer into README."""
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    for name, words in (("mail", mail), ("answer", answer)):
        place = re.search(_SHOWN.format(name), text, re.DOTALL)
        if place is None:
            raise SystemExit(f"README.md has no place for the {name}.")
        text = text[: place.start()] + words + text[place.end() :]
    readme.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
