"""What a build may leave behind: as much as a real site has, and nothing that would drown a worker."""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path

import pytest

from webordinary.errors import BuildFailed
from webordinary.routing.project import Size
from webordinary.site.release.build import build_site
from webordinary.site.release.release import copy_whole
from webordinary.workspace.sandbox import Sandbox, SandboxKind

MEGABYTE = 1_000_000
BEGIN = """
import os, pathlib
site = pathlib.Path("dist")
site.mkdir()
(site / "index.html").write_text("<p>Hello</p>")
"""


def build(folder: Path, code: str, size: Size | None = None) -> Path:
    checkout = folder / "checkout"
    checkout.mkdir()
    return build_site(
        checkout,
        (sys.executable, "-I", "-S", "-c", BEGIN + code),
        "dist",
        deadline=timedelta(minutes=1),
        sandbox=lambda: Sandbox(SandboxKind.NONE),
        into=folder / "scratch" / "site",
        watch=lambda _child: None,
        size=size or Size(),
    )


def room_taken(folder: Path) -> int:
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*"))


def refused(folder: Path, code: str, size: Size | None = None) -> str:
    """Build, see that it is refused before anything was copied, and return why."""
    with pytest.raises(BuildFailed) as problem:
        build(folder, code, size)
    assert room_taken(folder / "scratch") < MEGABYTE
    return str(problem.value)


def test_a_file_of_holes_counts_as_large_as_it_says_and_never_becomes_real(tmp_path: Path) -> None:
    said = refused(tmp_path, "os.truncate(os.open('dist/film.bin', os.O_CREAT | os.O_RDWR), 900_000_000)")
    assert "film.bin" in said
    assert "500 MB" in said


def test_many_names_of_one_large_file_count_as_often_as_they_are_copied(tmp_path: Path) -> None:
    code = """
first = os.open("dist/0.bin", os.O_CREAT | os.O_RDWR)
os.truncate(first, 20_000_000)
for number in range(1, 10):
    os.link("dist/0.bin", f"dist/{number}.bin")
"""
    assert "100 MB" in refused(tmp_path, code, Size(megabytes=100))


def test_links_to_a_large_file_count_as_well_because_a_bucket_has_none(tmp_path: Path) -> None:
    code = """
os.truncate(os.open("dist/0.bin", os.O_CREAT | os.O_RDWR), 20_000_000)
for number in range(1, 10):
    os.symlink("0.bin", f"dist/{number}.bin")
"""
    assert "100 MB" in refused(tmp_path, code, Size(megabytes=100))


def test_folders_that_lead_into_each_other_are_counted_as_often_as_a_bucket_would_hold_them(tmp_path: Path) -> None:
    code = """
os.mkdir("dist/d0")
open("dist/d0/page.html", "w").close()
for level in range(1, 40):
    os.mkdir(f"dist/d{level}")
    for name in "ab":
        os.symlink(f"../d{level - 1}", f"dist/d{level}/{name}")
"""
    assert "files" in refused(tmp_path, code, Size(files=2_000))


def test_a_link_back_to_the_top_is_no_flood(tmp_path: Path) -> None:
    built = build(tmp_path, 'os.mkdir("dist/a"); os.symlink("..", "dist/a/up")')
    assert (built / "a" / "up" / "index.html").is_file()


@pytest.mark.thorough
def test_more_empty_files_than_a_site_has_are_refused(tmp_path: Path) -> None:
    code = """
for number in range(3_000):
    os.mknod(f"dist/{number}")
"""
    assert "2000 files" in refused(tmp_path, code, Size(files=2_000))


def test_a_site_with_many_photos_passes(tmp_path: Path) -> None:
    code = """
for number in range(300):
    os.truncate(os.open(f"dist/photo-{number}.jpg", os.O_CREAT | os.O_RDWR), 1_000)
"""
    assert len(list(build(tmp_path, code).iterdir())) == 301


def test_folders_deeper_than_any_path_are_refused_with_a_sentence(tmp_path: Path) -> None:
    code = """
os.chdir("dist")
for _ in range(150):
    os.mkdir("d" * 50)
    os.chdir("d" * 50)
open("page.html", "w").close()
"""
    assert "900 bytes" in refused(tmp_path, code)
    (tmp_path / "second").mkdir()
    assert "100 folders in each other" in refused(tmp_path / "second", code.replace("* 50", ""))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (rb"caf\xe9.html", r"caf\xe9.html"),
        (rb"two\nlines.html", r"two\x0alines.html"),
        (rb"a\ttab.html", r"a\x09tab.html"),
        (rb"\x1b[31mred.html", r"\x1b[31mred.html"),
        (rb"right\xe2\x80\xaelmth.txt", r"right\u202elmth.txt"),
    ],
)
def test_a_name_that_cannot_be_told_is_refused_in_letters_that_can(tmp_path: Path, name: bytes, told: str) -> None:
    code = f"os.close(os.open(b'dist/{name.decode('ascii')}', os.O_CREAT))"
    said = refused(tmp_path, code)
    assert told in said
    assert said.isprintable()


def test_the_longest_name_of_a_file_is_fine_and_the_longest_path_is_not(tmp_path: Path) -> None:
    build(tmp_path, "open('dist/' + 'x' * 250 + '.html', 'w').close()")
    (tmp_path / "second").mkdir()
    deep = "folder = 'dist/' + '/'.join(['y' * 255] * 4); os.makedirs(folder); open(folder + '/page.html', 'w').close()"
    assert "900 bytes" in refused(tmp_path / "second", deep)


@pytest.mark.parametrize("code", ["os.mkfifo('dist/pipe.html')", "import socket; socket.socket(1).bind('dist/s.html')"])
def test_what_is_neither_file_nor_folder_is_refused_without_waiting_for_it(tmp_path: Path, code: str) -> None:
    assert "neither a file nor a folder" in refused(tmp_path, code)


def test_no_more_is_copied_than_a_file_says_it_has(tmp_path: Path) -> None:
    # Each of these says that it has no bytes, and gives some to whoever goes on reading, as one that still grows does.
    endless = Path("/proc/sys/kernel/random")
    assert copy_whole(endless, tmp_path / "copy", BuildFailed) > 1
    assert (tmp_path / "copy" / "uuid").read_bytes() == b""
