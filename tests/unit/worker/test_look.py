"""Whether a file is what its name says, and whether a page brings a program along."""

from __future__ import annotations

import pytest

from tests.pictures import photo
from webordinary.site.content import Limit
from webordinary.site.read.index import find_programs
from webordinary.worker.change.look import front_matter_program, look_at

PAGE = b"<!doctype html><title>Roses</title><p>Roses"
DRAWING = b'<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>'
ELF = b"\x7fELF\x02\x01\x01\x00\x00\x00"


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("a.jpg", photo()),
        ("a.JPG", photo()),
        # A camera's photo that was renamed is a picture all the same.
        ("a.png", photo()),
        ("a.svg", DRAWING),
        ("a.html", PAGE),
        ("a.md", "# Rosen für Zürich\n".encode("latin-1")),
        ("a.css", b"p { color: red }"),
        ("a.pdf", b"%PDF-1.7\n%\xe2\xe3\n"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00"),
        ("a.mp3", b"\xff\xfb\x90\x00\x00\x00"),
        ("a.ico", b"\x00\x00\x01\x00\x01\x00"),
        ("a.woff2", b"wOF2\x00\x01\x00\x00"),
        ("a.csv", b"roses;4.50\n"),
        ("data/a.json", b'{"roses": 4.5}'),
        ("a.jpg", b""),
        ("a.pagefind", b"\x00\x01\x02"),
    ],
)
def test_a_file_that_is_what_its_name_says_is_left_alone(path: str, content: bytes) -> None:
    assert look_at(path, content) is None


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("a.jpg", PAGE),
        ("a.jpg", DRAWING),
        ("a.png", b"<?php system($_GET['x']); ?>"),
        ("a.gif", b"#!/bin/sh\nrm -rf /\n"),
        ("a.jpg", ELF),
        ("a.png", b"%PDF-1.7\n%\xe2\xe3\n"),
        ("a.pdf", PAGE),
        ("a.pdf", b"PK\x03\x04\x14\x00"),
        ("a.docx", PAGE),
        ("a.docx", ELF),
        ("a.woff2", PAGE),
        ("a.mp4", PAGE),
        ("a.html", ELF),
        ("a.md", b"#!/bin/sh\n"),
        ("a.css", b"\x00\x01\x02"),
        ("a.svg", PAGE),
        ("a.svg", photo()),
    ],
)
def test_a_file_that_is_not_what_its_name_says_is_found(path: str, content: bytes) -> None:
    assert look_at(path, content) is Limit.DISGUISED


def test_a_drawing_that_could_run_something_is_found() -> None:
    assert look_at("a.svg", DRAWING.replace(b"<circle", b"<script>1</script><circle")) is Limit.ACTIVE
    assert look_at("a.svg", DRAWING.replace(b"<circle", b'<circle onload="x()"')) is Limit.ACTIVE


@pytest.mark.parametrize(
    "top", ["", "---\ntitle: Roses\n---\n", "--- yaml\na: 1\n---\n", "---json\n{}\n---\n", "----\n", "--- \n"]
)
def test_data_at_the_top_of_a_page_is_no_program(top: str) -> None:
    assert front_matter_program(f"{top}Roses\n".encode()) == ""


@pytest.mark.parametrize(
    "top",
    [
        "---js\n{ title: 1 }\n---\n",
        "--- JavaScript\n{}\n---\n",
        "\ufeff---js\n{}\n---\n",
        "---js\r\n{}\r\n---\r\n",
        "---coffee\n",
        "---\ntemplateEngineOverride: 11ty.js\n---\n",
    ],
)
def test_a_program_at_the_top_of_a_page_is_found(top: str) -> None:
    assert front_matter_program(f"{top}Roses\n".encode()) != ""


def test_a_program_in_a_page_has_a_mark_of_its_own() -> None:
    (one,) = find_programs("a.html", b"<p><?php echo 1; ?>")
    (same,) = find_programs("b.html", b"<h1><?php echo 1; ?><p>")
    (other,) = find_programs("a.html", b"<p><?PHP echo 2;")
    assert one == same != other
    assert len(set(find_programs("a.htm", b'<!--#include file="x"--><!--#exec cmd="y"--><? z ?><?= 1 ?>'))) == 4
    assert list(find_programs("a.html", b"<?xml version='1.0'?><!-- a comment --><?xpacket x?>")) == []
    assert list(find_programs("a.js", b"'<?php'")) == []
    assert len(list(find_programs("a.html", b"<!--#" * 200_000))) == 1_000
