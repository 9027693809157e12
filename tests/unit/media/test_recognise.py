from __future__ import annotations

import io
import zipfile

import pytest

from tests.pictures import moving, photo
from webordinary.jobs.job import FileKind, FileProblem
from webordinary.media.limits import MediaLimits
from webordinary.media.recognise import UNKNOWN, recognise, with_fitting_ending
from webordinary.media.treat import Treated, treat

PROGRAM = b"MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff"


def look_at(content: bytes, name: str = "file", declared: str = "application/octet-stream") -> Treated:
    return treat(content, name, declared, MediaLimits(), in_signature=False)


def archive(*names: str, stored: bytes = b"x") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name in names:
            made.writestr(name, stored)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (photo("JPEG"), "image/jpeg"),
        (photo("PNG"), "image/png"),
        (photo("WEBP"), "image/webp"),
        (photo("HEIF"), "image/heic"),
        (photo("AVIF"), "image/avif"),
        (moving("GIF"), "image/gif"),
        (b"%PDF-1.7\n%\xe2\xe3", "application/pdf"),
        (b"opening;hours\n1;2\n", "text/plain"),
        ("Öffnungszeiten".encode("cp1252"), "text/plain"),
        ("Öffnungszeiten".encode("utf-16"), "text/plain"),
        (archive("[Content_Types].xml", "word/document.xml"), "application/vnd.openxmlformats-officedocument"),
        (archive("[Content_Types].xml", "xl/workbook.xml"), "application/vnd.openxmlformats-officedocument"),
        (archive("a.txt"), "application/zip"),
        (b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom", "video/mp4"),
        (b"MZ is how this note begins", "text/plain"),
        (b"OTTO invites you", "text/plain"),
        (b"\x00\x9f\x12\x03" * 40, UNKNOWN),
    ],
)
def test_a_file_is_what_its_bytes_say(content: bytes, kind: str) -> None:
    assert recognise(content, "holiday.exe").startswith(kind)


def test_bytes_count_more_than_the_name_and_the_claim() -> None:
    assert look_at(photo("PNG"), "photo.jpg", "image/jpeg").content_type == "image/png"
    assert look_at(photo("JPEG"), "letter.pdf", "application/pdf").fate == FileKind.PHOTO
    assert look_at(PROGRAM, "photo.jpg", "image/jpeg").problem == FileProblem.PROGRAM


def test_text_is_told_apart_by_its_name() -> None:
    assert look_at(b"a;b\n1;2\n", "prices.csv").content_type == "text/csv"
    assert look_at(b"# Menu\n", "menu.md").content_type == "text/markdown"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", FileProblem.EMPTY),
        (b"#!/bin/sh\nrm -rf /\n", FileProblem.PROGRAM),
        (b"\x7fELF\x02\x01\x01", FileProblem.PROGRAM),
        (b"\x78\x9f\x3e\x22\x01\x00", FileProblem.OUTLOOK_PACKET),
        (b"not a picture at all", FileProblem.UNREADABLE),
        (b"\x00\x9f\x12\x03" * 40, FileProblem.UNREADABLE),
        (b"\xff\xd8\xff\xe0nothing behind it", FileProblem.UNREADABLE),
        (b"\x89PNG\r\n\x1a\n", FileProblem.UNREADABLE),
        (b"GIF89a", FileProblem.UNREADABLE),
        (b"RIFF\x00\x00\x00\x00WEBPVP8X", FileProblem.UNREADABLE),
        (b"\x00\x00\x00\x20ftypheic\x00\x00\x00\x00mif1heic", FileProblem.UNREADABLE),
        (b"\x00\x00\x00\x20ftypavif\x00\x00\x00\x00avifmif1", FileProblem.UNREADABLE),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_reason(content: bytes, problem: FileProblem) -> None:
    treated = look_at(content, "photo.jpg", "image/jpeg")
    assert (treated.fate, treated.problem) == (FileKind.REFUSED, problem)


@pytest.mark.parametrize("name", ["menu.pdf", "letter.docx", "prices.csv", "notes.txt", "drawing.dwg"])
def test_documents_are_kept(name: str) -> None:
    contents = {
        "menu.pdf": b"%PDF-1.4\n",
        "letter.docx": archive("[Content_Types].xml", "word/document.xml"),
        "drawing.dwg": b"AC1032\x00\x00\x00",
    }
    assert look_at(contents.get(name, b"words\n"), name).fate == FileKind.DOCUMENT


def test_an_archive_that_would_fill_the_disk_is_kept_and_never_unpacked() -> None:
    inner = archive("zeros", stored=b"\x00" * 10_000_000)
    treated = look_at(archive("a.zip", "b.zip", stored=inner), "photos.zip")
    assert (treated.fate, treated.content_type, treated.photos) == (FileKind.DOCUMENT, "application/zip", ())


@pytest.mark.parametrize(
    ("name", "kind", "safe"),
    [
        ("menu.pdf", "application/pdf", "menu.pdf"),
        ("menu.exe", "application/pdf", "menu.exe.pdf"),
        ("page.html", UNKNOWN, "page.html.bin"),
        ("shell.php", "text/plain", "shell.php.txt"),
        ("code.js", "text/plain", "code.js.txt"),
        ("prices.csv", "text/csv", "prices.csv"),
        ("plan.dwg", UNKNOWN, "plan.dwg"),
        ("nothing", UNKNOWN, "nothing.bin"),
    ],
)
def test_no_name_makes_a_file_more_than_it_is(name: str, kind: str, safe: str) -> None:
    assert with_fitting_ending(name, kind) == safe
