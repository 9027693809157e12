"""The page about extending is followed: its blocks become a package, whose target, agent and language are used."""

from __future__ import annotations

import re
import shutil
import signal
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import Program
from tests.rigs.embedded import with_place
from tests.tree import PACKAGE, ROOT

if TYPE_CHECKING:
    from pathlib import Path

MISCONFIGURED = 2
PAGE = ROOT / "docs" / "howto" / "extend.md"
_BLOCK = re.compile(r"^```\w+\n# (?P<name>[\w./-]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks() -> dict[str, str]:
    """The files that the page shows, by their names."""
    return {found["name"]: found["text"] for found in _BLOCK.finditer(PAGE.read_text(encoding="utf-8"))}


@dataclass(frozen=True)
class Extended(Program):
    """The program where the page's package is installed beside it."""

    packages: Path

    def _environment(self) -> dict[str, str]:
        return {**super()._environment(), "PYTHONPATH": str(self.packages)}


def install(packages: Path) -> None:
    """Lay the package as pip would: its modules, its data, and what it tells about itself."""
    project = tomllib.loads(blocks()["pyproject.toml"])["project"]
    for name, text in blocks().items():
        if name.endswith(".py"):
            (packages / name).parent.mkdir(parents=True, exist_ok=True)
            (packages / name).write_text(text, encoding="utf-8")
    shutil.copytree(PACKAGE / "reply" / "templates" / "de", packages / "webordinary_harbour" / "templates")
    (packages / "webordinary_harbour" / "__init__.py").touch()
    about = packages / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = project["entry-points"]
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in each.items())
        for group, each in groups.items()
    ]
    (about / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Extended:
    """The installation of the page: its package is there, and its configuration chooses it."""
    folder = tmp_path_factory.mktemp("extended")
    program = Extended(folder / "here", folder / "packages")
    site = folder / "site"
    for each in (program.folder, program.packages, site, program.folder / "web", program.folder / "beach"):
        each.mkdir()
    (site / "index.html").write_text("<html><body><h1>The harbour</h1>\n</body></html>\n")
    install(program.packages)
    program.run("init", "--domain", "edit.localhost")
    program.run("project", "add", "harbour", "--from", str(site), "--editor", "scott=scott@example.org")
    config = program.folder / "webordinary.toml"
    agent, _, place = blocks()["webordinary.toml"].partition("[project.site]\n")
    text = config.read_text().replace("[agent]\n", agent, 1).replace('kind = "scripted"\n', "", 1)
    text = re.sub(r"127\.0\.0\.1:(2525|8080|8090)", "127.0.0.1:0", text)
    config.write_text(with_place(text.replace('language = "en"', 'language = "nd"', 1), place))
    return program


@pytest.fixture
def extended(prepared: Extended, tmp_path: Path) -> Extended:
    """A copy, in which a test may break what it likes."""
    for name in ("here", "packages"):
        shutil.copytree(prepared.folder.parent / name, tmp_path / name, symlinks=True)
    return Extended(tmp_path / "here", tmp_path / "packages")


def refused(program: Extended) -> str:
    """What a command says that cannot read the configuration."""
    return " ".join(program.run("project", "list", code=MISCONFIGURED).split())


@pytest.mark.thorough
def test_the_page_builds_a_package_and_a_site_is_changed_by_it(extended: Extended) -> None:
    assert "which is mounted" in extended.run("project", "list")
    said = extended.run("doctor")
    assert "notice, by the harbour" in said
    assert "mails are taken from" in said
    assert "folders are renamed" in said
    with extended.start("work", "--count", "1") as workers:
        workers.line_with("is ready")
        extended.run("ask", "harbour", "scott", "De Hoben is vundaag dicht")
        workers.line_with("done")
        workers.end(signal.SIGTERM)
    page = extended.folder / "web" / "public_html" / "index.html"
    assert "<p>De Hoben is vundaag dicht (the harbour)</p>" in page.read_text()
    (letter,) = (path for path in (extended.folder / "outgoing").rglob("*") if path.is_file())
    assert "bitte baven disse Reeg antwoorten" in letter.read_text()


@pytest.mark.thorough
def test_a_mail_that_comes_by_the_door_of_the_page_is_judged_like_any_other(extended: Extended) -> None:
    with extended.start("serve") as server:
        server.line_with("Listening for mail on")
        mail = b"From: scott@example.org\r\nTo: harbour@edit.localhost\r\nSubject: Moin\r\n\r\nDe Hoben is dicht\r\n"
        (extended.folder / "mail").write_bytes(mail)
        (extended.folder / "mail").rename(extended.folder / "beach" / "1.eml")
        server.line_with("is held, nothing will be done")
        server.end()
    (taken,) = extended.read("show", "mail")
    assert (taken["outcome"], taken["sender"]) == ("held", "scott@example.org")
    assert list((extended.folder / "beach").iterdir()) == []


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ('mount = "web"', 'mouth = "web"', "there is no key `project.site.options.mouth`; did you mean `mount`?"),
        ('mount = "web"', "", "`project.site.options.mount` is missing. Where the files of the web host are mounted."),
        ('mount = "web"', 'mount = "web", folder = 7', "`project.site.options.folder` must be a text."),
        ('target = "mounted"', 'target = "mounted"\nto = "x"', "`project.site.to` is not asked for, because"),
        (
            'target = "mounted"',
            'target = "mountid"',
            'must be "folder", "s3", "git", "rsync", "sftp", "ftps" or "mounted"',
        ),
        ('beach = "beach"', "beach = 7", "`door.options.beach` must be"),
        ('kind = "bottle"', 'kind = "barrel"', "`door.kind` names a door that no package brings along: 'barrel'"),
        ('author = "the harbour"', "", "`agent.options.author` is missing. Whose notices they are."),
        ('kind = "notice"', 'kind = "scripted"', '`agent.options` is not asked for with `kind = "scripted"`'),
    ],
)
def test_what_a_variant_from_outside_refuses_is_told_with_its_line(
    extended: Extended, was: str, becomes: str, said: str
) -> None:
    config = extended.folder / "webordinary.toml"
    config.write_text(config.read_text().replace(was, becomes, 1))
    told = refused(extended)
    assert re.search(r"webordinary\.toml, line \d+: ", told)
    assert said in told


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("import no_such_library", "ModuleNotFoundError: No module named 'no_such_library'"),
        ("raise SystemError('half installed')", "SystemError: half installed"),
        ("MountedTarget = int", "is no PublishTarget"),
        ("class MountedTarget:\n    def __init__(self): raise KeyError('home')", "KeyError: 'home'"),
    ],
)
def test_a_package_that_is_broken_is_named_and_nothing_is_traced(extended: Extended, module: str, said: str) -> None:
    (extended.packages / "webordinary_harbour" / "target.py").write_text(module)
    told = refused(extended)
    assert 'The publish target "mounted" of webordinary-harbour 1.0 cannot be used' in told
    assert said in told
    assert "mend or remove that distribution" in told


@pytest.mark.thorough
def test_a_class_that_breaks_while_it_is_asked_is_named_too(extended: Extended) -> None:
    target = extended.packages / "webordinary_harbour" / "target.py"
    target.write_text(target.read_text().replace("if site.to is not None:", "if site.too is not None:"))
    assert "of webordinary-harbour 1.0 cannot be used (AttributeError" in refused(extended)


@pytest.mark.thorough
def test_nobody_takes_the_name_of_a_built_in_one(extended: Extended) -> None:
    about = next(extended.packages.glob("*.dist-info")) / "entry_points.txt"
    about.write_text(about.read_text().replace("mounted = ", "rsync = x:y\nmounted = "))
    told = refused(extended)
    assert 'webordinary-harbour 1.0 calls its publish target "rsync", which is built in' in told
