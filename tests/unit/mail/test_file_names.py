from __future__ import annotations

import unicodedata
from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from webordinary.mail.mime.file_names import safe_names, stem_of
from webordinary.media.prepare import words_of


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("photo.jpg", "photo.jpg"),
        ("../../etc/x.jpg", "x.jpg"),
        ("..\\..\\x.jpg", "x.jpg"),
        ("C:\\Users\\Scott\\Bäckerei.PNG", "Bäckerei.png"),
        ("/etc/passwd", "passwd"),
        ("..", "file-1"),
        ("", "file-1"),
        ("   ", "file-1"),
        (".htaccess", "htaccess"),
        (".git", "git"),
        ("-rf.jpg", "rf.jpg"),
        ("a\x00b\x1f.jpg", "ab.jpg"),
        ("two\r\nlines.jpg", "two lines.jpg"),
        ("menu\u202egnp.exe", "menugnp.exe"),
        ("zero\u200bwidth.pdf", "zerowidth.pdf"),
        ("half\ud800letter.pdf", "halfletter.pdf"),
        ("CON.jpg", "_CON.jpg"),
        ("lpt1", "_lpt1"),
        ("what?*<>|.pdf", "what.pdf"),
        ("$(rm -rf).jpg", "(rm -rf).jpg"),
        ("[picture: x].jpg", "picture- x.jpg"),
        ("Amelia's menu (2026).pdf", "Amelia's menu (2026).pdf"),
        ("e\u0301te\u0301.jpg", "été.jpg"),
        ("メニュー.pdf", "メニュー.pdf"),
        ("no ending.", "no ending"),
        ("odd.end ing", "odd.end ing"),
    ],
)
def test_a_name_is_safe_in_any_folder_and_still_known_to_its_owner(name: str, safe: str) -> None:
    assert safe_names([name]) == (safe,)


def test_a_long_name_keeps_its_ending() -> None:
    (safe,) = safe_names(["ü" * 5000 + ".jpeg"])
    assert safe == "ü" * 60 + ".jpeg"
    (wide,) = safe_names(["😀" * 200 + ".jpeg"])
    assert len(wide.encode()) <= 200


def test_no_two_files_have_a_name_that_some_disk_takes_for_the_same() -> None:
    names = ["photo.jpg", "PHOTO.jpg", "photo.png", "pho\u200bto.jpg", "photo-2.jpg", "", ""]
    assert safe_names(names) == (
        *("photo.jpg", "PHOTO-2.jpg", "photo-3.png", "photo-4.jpg", "photo-2-2.jpg", "file-6", "file-7"),
    )


@given(st.lists(st.text(max_size=100), max_size=20))
@example(["0", "0.¡"])
def test_whatever_a_mail_calls_its_files_the_names_are_safe(names: list[str]) -> None:
    safe = safe_names(names)
    # What stands behind a dot is an ending only if it can be one: versions of a file are told apart by theirs.
    assert len({unicodedata.normalize("NFKC", stem_of(each)).casefold() for each in safe}) == len(names)
    for each in safe:
        assert each == PurePosixPath(each).name == PureWindowsPath(each).name
        assert not each.startswith((".", "-"))
        assert len(each.encode()) <= 255
        assert not any(unicodedata.category(sign) in {"Cc", "Cf", "Cs"} for sign in each)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("shop-front_2024.jpg", "shop front 2024"),
        ("Our new oven.heic", "Our new oven"),
        ("IMG_1234.HEIC", ""),
        ("image001.png", ""),
        ("DSC00042.JPG", ""),
        ("PXL_20260101_120000.jpg", ""),
        ("WhatsApp Image 2026-11-01 at 10.22.31.jpeg", ""),
        ("Screenshot 2026-11-01.png", ""),
        ("3f2504e0-4f89-11d3-9a0c-0305e82c3301.jpg", ""),
        ("20261101_101112.jpg", ""),
        ("Foto.jpg", ""),
        ("photo of the team.jpg", "photo of the team"),
    ],
)
def test_a_name_that_a_person_gave_says_what_is_to_be_seen(name: str, words: str) -> None:
    assert words_of(name) == words
