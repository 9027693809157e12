from __future__ import annotations

import hashlib
import json
import os
import signal
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pictures import corners, huge_png, moving, photo, saved
from tests.programs import need_filter, need_landlock
from webordinary.errors import TryAgain
from webordinary.jobs.job import FileKind, FileProblem
from webordinary.mail.message import Attachment, Message, picture_mark
from webordinary.media import MediaLimits, Preparation
from webordinary.media import image_process as room
from webordinary.media.image_process import ReadFile, UnreadFile, read_files

if TYPE_CHECKING:
    from pathlib import Path

LIMITS = MediaLimits()
KINDS = ("JPEG", "PNG", "GIF", "WEBP", "HEIF", "AVIF")
SIGNS = (
    b"\xff\xd8\xff\xe0\x00\x10JFIF\x00",
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    b"GIF89a",
    b"RIFF\x00\x00\x00\x00WEBPVP8 ",
    b"RIFF\x00\x00\x00\x00WEBPVP8X",
    b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic",
    b"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1",
    b"<svg xmlns='http://www.w3.org/2000/svg'>",
)


def unread(content: bytes, name: str = "photo.jpg") -> UnreadFile:
    return UnreadFile(name, "application/octet-stream", content)


def message(*files: tuple[str, bytes], text: str = "") -> Message:
    attachments = tuple(Attachment(name, "application/octet-stream", content) for name, content in files)
    return Message(None, None, "", None, (), "", None, (), text, attachments, None, ())


class Shelf:
    """Keeps by content, as every engine does."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def keep(self, content: bytes) -> str:
        digest = hashlib.sha256(content).hexdigest()
        self.kept[digest] = content
        return digest


def test_each_file_of_a_mail_has_its_own_fate() -> None:
    shelf = Shelf()
    mail = message(
        ("Our oven.heic", photo("HEIF")),
        ("menu.pdf", b"%PDF-1.4\n"),
        ("broken.jpg", photo("JPEG")[:200]),
        ("bomb.png", huge_png()),
    )
    oven, menu, broken, bomb = Preparation(mail, LIMITS, shelf.keep).all()
    assert (oven.fate, oven.content_type, oven.about) == (FileKind.PHOTO, "image/heic", "Our oven")
    assert [each.content_type for each in oven.versions] == ["image/avif", "image/jpeg"]
    assert oven.digest == oven.versions[-1].digest
    assert [shelf.kept[each.digest][:3] for each in oven.versions][1] == b"\xff\xd8\xff"
    assert [len(shelf.kept[each.digest]) for each in oven.versions] == [each.size for each in oven.versions]
    assert (menu.fate, shelf.kept[menu.digest]) == (FileKind.DOCUMENT, b"%PDF-1.4\n")
    assert (broken.fate, broken.problem, broken.digest) == (FileKind.REFUSED, FileProblem.UNREADABLE, "")
    assert (bomb.fate, bomb.problem) == (FileKind.REFUSED, FileProblem.TOO_MANY_PIXELS)


def test_a_photo_as_it_came_is_not_kept_beside_its_mail() -> None:
    shelf = Shelf()
    Preparation(message(("a.jpg", photo("JPEG"))), LIMITS, shelf.keep).all()
    assert photo("JPEG") not in shelf.kept.values()


def test_one_file_alone_comes_to_the_same_as_all_together() -> None:
    mail = message(("a.jpg", photo("JPEG")), ("b.txt", b"words"), ("c.jpg", b"nonsense"))
    all_of_them = Preparation(mail, LIMITS, Shelf().keep).all()
    assert tuple(Preparation(mail, LIMITS, Shelf().keep).some([index])[0] for index in range(3)) == all_of_them


def test_what_is_too_much_is_refused_without_being_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nonexistent/python")
    limits = replace(LIMITS, file_bytes=2_000_000, together_bytes=3_000_000, files=4)
    mail = message(("large", b"a" * 2_000_001), ("d", b"a" * 1_000_000), ("e", b"f"), ("g", b"h"), ("more", b"a"))
    files = Preparation(mail, limits, Shelf().keep).some([0, 2, 4])
    assert [(each.problem, each.limit) for each in files] == [
        (FileProblem.TOO_LARGE, "2 MB"),
        (FileProblem.TOO_MUCH_TOGETHER, "3 MB"),
        (FileProblem.TOO_MANY, "4"),
    ]


def test_a_signature_logo_is_skipped_and_the_attached_photo_is_not() -> None:
    text = f"The photo is our new oven.\n\nKind regards\nScott\n{picture_mark('image001.png')}"
    logo = Attachment("image001.png", "image/png", saved(corners(180, 60), "PNG"), "logo@x", "inline")
    oven = Attachment("oven.jpg", "image/jpeg", photo("JPEG"), "", "attachment")
    mail = replace(message(text=text), attachments=(logo, oven))
    assert [each.fate for each in Preparation(mail, LIMITS, Shelf().keep).all()] == [FileKind.SKIPPED, FileKind.PHOTO]


def test_a_logo_is_skipped_beside_a_photo_that_stands_in_the_words() -> None:
    oven, mark = picture_mark("oven.jpg"), picture_mark("image001.png")
    text = f"Please put this photo on the about page.\n{oven}\nThank you.\n\nKind regards\nScott\n{mark}"
    photo_file = Attachment("oven.jpg", "image/jpeg", photo("JPEG"), "oven@x", "inline")
    logo = Attachment("image001.png", "image/png", saved(corners(180, 60), "PNG"), "logo@x", "inline")
    mail = replace(message(text=text), attachments=(photo_file, logo))
    assert [each.fate for each in Preparation(mail, LIMITS, Shelf().keep).all()] == [FileKind.PHOTO, FileKind.SKIPPED]


ADDRESS = "re+cfvynbiqgntdsyzqmqzgcn3cgfs7f5km2svttsb4j2uajxhvvfeks@edit.example.com"
ANNOUNCED = {
    "Outlook": f"From: Bakery <{ADDRESS}>\nSent: Tuesday, 3 November 2026 10:00\nTo: Scott\nSubject: Re: Oven\n\n",
    "Gmail": f"> On 3 Nov 2026 at 10:00, Bakery <{ADDRESS}> wrote:\n> ^^^ WebOrdinary: reply above this line ^^^\n> ",
    "nobody": "^^^ WebOrdinary: reply above this line ^^^\n\n",
}


@pytest.mark.parametrize("program", ANNOUNCED)
def test_the_pictures_of_our_own_answer_that_come_back_are_skipped_and_new_ones_are_not(program: str) -> None:
    oven, before = picture_mark("oven.jpg"), picture_mark("image001.png")
    text = f"Please put this photo on the about page.\n{oven}\n\n{ANNOUNCED[program]}{before}"
    files = (
        Attachment("oven.jpg", "image/jpeg", photo("JPEG"), "oven@x", "inline"),
        Attachment("image001.png", "image/png", saved(corners(900, 700), "PNG"), "image001.png@01DC5A.7C", "inline"),
        Attachment("picture.png", "image/png", photo("PNG"), "picture-2.0123456789abcdef@edit.example.com", ""),
        Attachment("attached.jpg", "image/jpeg", photo("JPEG"), "", "attachment"),
    )
    reply = replace(message(text=text), attachments=files, references=("webordinary.job-1.answer@edit.example.com",))
    fates = [each.fate for each in Preparation(reply, LIMITS, Shelf().keep).all()]
    assert fates == [FileKind.PHOTO, FileKind.SKIPPED, FileKind.SKIPPED, FileKind.PHOTO]
    forward = replace(reply, subject="Fwd: Oven", attachments=files[1:2])
    elsewhere = replace(reply, references=("1@x.example",), attachments=files[1:2])
    assert [Preparation(each, LIMITS, Shelf().keep).all()[0].fate for each in (forward, elsewhere)] == [
        FileKind.PHOTO
    ] * 2


def test_the_same_logo_is_kept_when_it_is_what_the_mail_is_about() -> None:
    text = f"Please use our new logo.\n\nKind regards\nScott\n{picture_mark('image001.png')}"
    logo = Attachment("image001.png", "image/png", saved(corners(180, 60), "PNG"), "logo@x", "inline")
    mail = replace(message(text=text), attachments=(logo,))
    assert [each.fate for each in Preparation(mail, LIMITS, Shelf().keep).all()] == [FileKind.PHOTO]


@pytest.mark.thorough
def test_a_decoder_that_hangs_costs_one_file_and_no_other(program: Path) -> None:
    program.write_text("import signal\nwhile True: signal.pause()\n", encoding="utf-8")
    limits = replace(LIMITS, deadline=timedelta(seconds=4))
    files = [unread(b"HANG"), unread(b"words", "notes.txt")]
    assert [each.problem for each in read_files(files, limits)] == [FileProblem.TOOK_TOO_LONG, FileProblem.NONE]


def test_a_decoder_that_crashes_costs_one_file_and_no_other(program: Path) -> None:
    program.write_text(f"import os\nos.kill(os.getpid(), {int(signal.SIGSEGV)})\n", encoding="utf-8")
    files = [unread(b"a", "a.txt"), unread(b"HANG"), unread(b"HANG"), unread(b"words", "notes.txt")]
    told = [(each.fate, each.problem) for each in read_files(files, LIMITS)]
    assert told == [
        (FileKind.DOCUMENT, FileProblem.NONE),
        (FileKind.REFUSED, FileProblem.UNREADABLE),
        (FileKind.REFUSED, FileProblem.UNREADABLE),
        (FileKind.DOCUMENT, FileProblem.NONE),
    ]


def test_a_decoder_that_wants_all_memory_costs_one_file_and_no_other(program: Path) -> None:
    program.write_text("room = bytearray(2 * 1024 * 1024 * 1024)\n", encoding="utf-8")
    files = [unread(b"HANG"), unread(b"words", "notes.txt")]
    assert [each.problem for each in read_files(files, LIMITS)] == [FileProblem.TOO_MANY_PIXELS, FileProblem.NONE]


def test_a_decoder_that_was_taken_over_reads_nothing_but_its_own_folder(program: Path, tmp_path: Path) -> None:
    need_landlock()
    (secret := tmp_path.parent / f"{tmp_path.name}-secret").write_text("secret", encoding="utf-8")
    program.write_text(f"open({str(secret)!r})\n", encoding="utf-8")
    assert [each.problem for each in read_files([unread(b"HANG", "a.txt")], LIMITS)] == [FileProblem.UNREADABLE]
    program.write_text("open('beside', 'w').close()\n", encoding="utf-8")
    assert [each.fate for each in read_files([unread(b"HANG", "a.txt")], LIMITS)] == [FileKind.DOCUMENT]


def test_a_decoder_that_was_taken_over_is_not_root(program: Path) -> None:
    program.write_text("import os\nif 0 in (*os.getresuid(), *os.getresgid(), *os.getgroups()): os._exit(1)\n")
    assert [each.fate for each in read_files([unread(b"HANG", "a.txt")], LIMITS)] == [FileKind.DOCUMENT]


@pytest.mark.parametrize("trick", ["link", "name"])
def test_a_decoder_that_was_taken_over_cannot_have_a_file_of_ours_kept_as_a_photo(
    program: Path, tmp_path: Path, trick: str
) -> None:
    (secret := tmp_path.parent / f"{tmp_path.name}-secret").write_text("secret", encoding="utf-8")
    told = {"link": "0-0", "name": str(secret)}[trick]
    version = {"file": told, "content_type": "image/png", "width": 1, "height": 1}
    line = {"fate": "photo", "content_type": "image/png", "problem": "", "limit": "", "versions": [version]}
    program.write_text(
        f"import os, sys\nos.symlink({str(secret)!r}, '0-0')\n"
        f"sys.stdout.write({json.dumps(line)!r} + chr(10))\nsys.stdout.flush()\nos._exit(0)\n"
    )
    (done,) = read_files([unread(b"HANG", "a.txt")], LIMITS)
    assert (done.fate, done.versions) == (FileKind.REFUSED, ())


def test_a_decoder_that_was_taken_over_reaches_nobody(program: Path) -> None:
    need_filter()
    program.write_text("import socket\nsocket.socket(socket.AF_INET, socket.SOCK_STREAM)\n", encoding="utf-8")
    assert [each.problem for each in read_files([unread(b"HANG", "a.txt")], LIMITS)] == [FileProblem.UNREADABLE]
    program.write_text("import socket\n", encoding="utf-8")
    assert [each.fate for each in read_files([unread(b"HANG", "a.txt")], LIMITS)] == [FileKind.DOCUMENT]


def test_a_mail_whose_files_take_for_ever_comes_to_an_end(program: Path) -> None:
    program.write_text("import signal\nwhile True: signal.pause()\n", encoding="utf-8")
    limits = replace(LIMITS, deadline=timedelta(seconds=0.3), deadline_together=timedelta(seconds=0.5))
    done = read_files([unread(b"HANG")] * 20, limits)
    assert {each.problem for each in done} == {FileProblem.TOOK_TOO_LONG}
    assert len(done) == 20


def test_when_nothing_can_be_looked_at_no_file_is_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_environment", lambda _: {"PYTHONHOME": "/nonexistent"})
    with pytest.raises(TryAgain, match="cannot be looked at"):
        read_files([unread(b"x")], LIMITS)


def test_the_process_knows_nothing_that_could_be_taken_from_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    assert "secret" not in str(room._environment(tmp_path))  # noqa: SLF001 - what a broken decoder could read


@pytest.mark.thorough
def test_the_largest_photo_that_is_allowed_fits_into_the_memory_that_is_allowed() -> None:
    from_a_camera = unread(saved(corners(8000, 8000), "JPEG", progressive=True, subsampling=0))
    seen_through = unread(huge_png(8000, 8000, in_colour=True))
    light = unread(saved(corners(8000, 4000), "WEBP", method=0, quality=10))
    assert [each.fate for each in read_files([from_a_camera, seen_through, light], LIMITS)] == [FileKind.PHOTO] * 3


@st.composite
def spoiled_files(draw: st.DrawFn) -> bytes:
    """Return bytes that begin like a picture: pure noise, or a real one with some bytes changed or cut off."""
    if draw(st.booleans()):
        return draw(st.sampled_from(SIGNS)) + draw(st.binary(max_size=400))
    kind = draw(st.sampled_from(KINDS))
    content = bytearray(draw(st.sampled_from([photo(kind), moving("GIF"), moving("WEBP")])))
    for place, value in draw(st.lists(st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255)), max_size=8)):
        content[place] = value
    return bytes(content[: draw(st.integers(1, len(content)))])


@pytest.mark.thorough
@settings(max_examples=15)
@given(st.lists(spoiled_files(), min_size=8, max_size=20))
def test_whatever_comes_as_a_picture_has_a_fate_within_the_limits(contents: list[bytes]) -> None:
    limits = replace(LIMITS, long_side=64)
    done = read_files([unread(each) for each in contents], limits)
    assert len(done) == len(contents)
    assert [each for each in done if not is_within(each, limits)] == []


def is_within(done: ReadFile, limits: MediaLimits) -> bool:
    if done.fate == FileKind.REFUSED:
        return done.problem != FileProblem.NONE and not done.versions
    return all(max(each.width, each.height) <= limits.long_side and each.content for each in done.versions)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of a program that runs inside the process whenever a file says HANG: a decoder gone mad."""
    inside = tmp_path / "inside.py"
    # Of root's the process has to read it as somebody else.
    tmp_path.chmod(0o755)
    (tmp_path / "sitecustomize.py").write_text(
        "import webordinary.media.treat as treat\n"
        "real = treat._kind_of\n"
        "def kind_of(content, name):\n"
        "    if content == b'HANG':\n"
        f"        exec(open({str(inside)!r}).read())\n"
        "    return real(content, name)\n"
        "treat._kind_of = kind_of\n",
        encoding="utf-8",
    )
    real = room._environment  # noqa: SLF001 - the only door into that process
    monkeypatch.setattr(
        room,
        "_environment",
        lambda folder: real(folder) | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{real(folder)['PYTHONPATH']}"},
    )
    return inside
