"""A newcomer installs the built package in an environment of its own, and types the pages word by word."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import pytest

from tests.howto import blocks
from tests.newcomer import Newcomer, build_wheel, install, missing_of, typed_in
from tests.tree import PACKAGE, ROOT, our_files
from webordinary.testing.dns import NameServer, Zone
from webordinary.testing.mail import write_mail
from webordinary.testing.samples import copy_sample_site

if TYPE_CHECKING:
    from pathlib import Path

INSTALLATION = typed_in(blocks("../quickstart.md", "Install it", "console"))
QUICK_START = typed_in(blocks("../quickstart.md", "Your own installation", "console"))
MAIL = write_mail(
    sender="scott@example.com", to="amelia@edit.example.com", text="Our phone number is now 030 23125 200."
)


def test_the_readme_types_nothing_that_the_quick_start_does_not() -> None:
    """So that one walk tries both."""
    readme = typed_in(blocks("../../README.md", "Quick start for an agency", "console"))
    known = {each.command for each in (*INSTALLATION, *QUICK_START)}

    assert len(readme) > len(INSTALLATION)
    assert [each.command for each in readme if each.command not in known] == []
    assert [each.command for each in INSTALLATION] == ["make wheel", "uv tool install dist/webordinary-*.whl"]


@pytest.mark.thorough
@pytest.mark.timeout(1200)
def test_the_package_alone_is_enough_for_the_demo_and_the_quick_start(tmp_path: Path) -> None:
    wheel = build_wheel(tmp_path / "dist")
    programs = install(wheel, tmp_path)

    assert files_in(wheel) == {str(file.relative_to(PACKAGE.parent)) for file in our_files() if PACKAGE in file.parents}
    assert not is_ours(where_it_is(programs))
    with closing(NameServer(Zone({}))) as names:
        machine = {"WEBORDINARY_MAIL_DNS_SERVER": f"127.0.0.1:{names.address[1]}"}
        newcomer = Newcomer(tmp_path, programs, machine)
        assert newcomer.types("webordinary demo --once").endswith("It works.\n")
        set_up_from_nothing(newcomer)
        walk_through_the_quick_start(newcomer)


def set_up_from_nothing(newcomer: Newcomer) -> None:
    """Answer the guided walk from a file, in the terminal, and see that the first start shows the same walk."""
    later = "".join(f"[{each}]\nlater = true\n" for each in ("dns", "outgoing", "service", "first-mail"))
    answers = """\
[mail]
way = "postfix"
domain = "edit.example.com"
agency = "agency@example.com"
host = "mx.example.com"
listen = "127.0.0.1:0"
[site]
kind = "new"
[project]
id = "amelia"
[agent]
kind = "scripted"
[editor]
user = "scott"
address = "scott@example.com"
"""
    (newcomer.folder / "walk").mkdir()
    (newcomer.folder / "walk" / "answers.toml").write_text(answers + later)
    with newcomer.starts("env WEBORDINARY_DASHBOARD_LISTEN=127.0.0.1:0 webordinary dashboard --no-browser") as first:
        first.line_with("/sign-in?link=")
    told = json.loads(newcomer.types("cd walk && webordinary setup --answers answers.toml --json || test $? = 1"))
    assert told["left"] == ["dns", "outgoing", "service", "first-mail"]


def walk_through_the_quick_start(newcomer: Newcomer) -> None:
    job = ""
    with ExitStack() as stack:
        for typed in QUICK_START:
            command = typed.command.replace(" JOB", f" {job}")
            if command == "webordinary serve":
                server = stack.enter_context(newcomer.starts(command))
                server.line_with("is ready")
                continue
            if command.endswith("--follow"):
                with newcomer.starts(command) as following:
                    following.line_with(job)
                continue
            said = newcomer.types(command)
            assert missing_of(typed.shown, said) == [], f"$ {command}\n{said}"
            job = next(iter(re.findall(r"job-[0-9a-f]{12}", said)), job)
            prepare_what_comes_next(newcomer, command)
        for _ in range(2):
            server.line_with("is done (published)")
        assert server.end() == 0, server.said
    (page,) = newcomer.folder.glob("data/sites/amelia/live/contact.html")
    assert "9:00 – 18:00" in page.read_text()
    assert "030 23125 200" in page.read_text()


def prepare_what_comes_next(newcomer: Newcomer, command: str) -> None:
    """Give the newcomer a site and a mail, as everybody has them, and ports that no other test has."""
    if (entered := re.search(r"&& cd (\w+)$", command)) is not None:
        newcomer.enters(entered[1])
        copy_sample_site(newcomer.folder / "bakery")
        (newcomer.folder / "mail.eml").write_bytes(MAIL)
    if " init " in command:
        path = newcomer.folder / "webordinary.toml"
        path.write_text(re.sub(r"127\.0\.0\.1:(2525|8080|8090)", "127.0.0.1:0", path.read_text()))


def files_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def where_it_is(programs: Path) -> str:
    python = (programs / "webordinary").resolve().with_name("python")
    asked = [str(python), "-c", "import webordinary; print(webordinary.__file__)"]
    return subprocess.run(asked, cwd="/", capture_output=True, text=True, check=True).stdout.strip()


def is_ours(place: str) -> bool:
    return place.startswith(str(ROOT))
