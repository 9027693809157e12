from __future__ import annotations

import signal
import subprocess
import zipfile
from typing import TYPE_CHECKING

import pytest

from webordinary.config import load_config
from webordinary.testing.samples import copy_sample_site

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Program

SCOTT = "scott=scott@example.org"


@pytest.fixture
def empty(program: Program) -> Program:
    """An installation without projects."""
    program.run("init", "--domain", "edit.localhost")
    return program


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=Amelia", "-c", "user.email=amelia@example.org"]
    return subprocess.run(
        ["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.strip()


def live_page(program: Program, project: str = "amelia") -> str:
    return (program.folder / "data" / "sites" / project / "live" / "index.html").read_text()


def working_copy(folder: Path, branch: str = "trunk") -> Path:
    copy_sample_site(folder)
    git(folder, "init", "--quiet", f"--initial-branch={branch}")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=All")
    return folder


def test_a_folder_gets_in_with_one_command(empty: Program) -> None:
    copy_sample_site(empty.folder / "bakery")

    said = empty.run("project", "add", "amelia", "--from", "bakery", "--name", "Amelia's Bakery", "--editor", SCOTT)

    assert "scott@example.org can write to amelia@edit.localhost" in said
    (project,) = empty.read("project", "list")
    assert project["name"] == "Amelia's Bakery"
    assert project["editors"] == [{"user": "scott", "address": "scott@example.org"}]
    assert git(empty.folder / "data/repositories/amelia.git", "log", "--format=%s", "main") == "The site as it came"
    assert "Monday to Friday 8:00" in live_page(empty)


def test_a_zip_gets_in_with_one_command(empty: Program) -> None:
    copy_sample_site(empty.folder / "bakery")
    with zipfile.ZipFile(empty.folder / "bakery.zip", "w") as archive:
        for file in sorted((empty.folder / "bakery").rglob("*")):
            archive.write(file, file.relative_to(empty.folder))

    empty.run("project", "add", "amelia", "--from", "bakery.zip", "--editor", SCOTT)

    assert "Monday to Friday 8:00" in live_page(empty)


def test_a_working_copy_brings_its_history_and_its_branch(empty: Program) -> None:
    site = working_copy(empty.folder / "bakery")

    empty.run("project", "add", "amelia", "--from", "bakery", "--editor", SCOTT)

    (project,) = empty.read("project", "list")
    assert project["branch"] == "trunk"
    assert project["repository"] == str(empty.folder / "data" / "repositories" / "amelia.git")
    assert git(empty.folder / "data/repositories/amelia.git", "rev-parse", "trunk") == git(site, "rev-parse", "HEAD")


def test_a_bare_repository_is_used_where_it_is(empty: Program) -> None:
    working_copy(empty.folder / "bakery")
    git(empty.folder, "clone", "--quiet", "--bare", "bakery", "bakery.git")

    empty.run("project", "add", "amelia", "--from", "bakery.git", "--editor", SCOTT)

    (project,) = empty.read("project", "list")
    assert project["repository"] == str(empty.folder / "bakery.git")
    assert not (empty.folder / "data" / "repositories").exists()


def test_without_a_source_there_is_one_page_to_begin_with(empty: Program) -> None:
    empty.run("project", "add", "flora", "--name", "Flora & Daughters")

    assert "<h1>Flora &amp; Daughters</h1>" in live_page(empty, "flora")


def test_the_new_project_stands_in_the_configuration_with_its_choices(empty: Program) -> None:
    copy_sample_site(empty.folder / "bakery")
    choices = [
        "--build",
        "cp -r . _site",
        "--output",
        "_site",
        "--site-to",
        "published",
        "--url",
        "https://amelia.example/",
    ]

    empty.run("project", "add", "amelia", "--from", "bakery", "--editor", SCOTT, *choices)

    (project,) = load_config(empty.folder / "webordinary.toml", {}).projects
    assert project.build == ("cp", "-r", ".", "_site")
    assert (project.output, project.site.url) == ("_site", "https://amelia.example/")
    assert project.site.to == str(empty.folder / "published")
    assert 'to = "published"' in (empty.folder / "webordinary.toml").read_text()


@pytest.mark.parametrize(
    ("arguments", "expected", "code"),
    [
        (["Amelia!"], "The id of a project must be", 2),
        (["amelia", "--from", "nowhere"], "There is nothing at", 1),
        (["amelia", "--editor", "scott"], "must be USER=ADDRESS", 2),
        (["amelia", "--editor", "scott=nobody"], "--editor scott=nobody: ADDRESS must be one mail address", 2),
        (["amelia", "--editor", "Scott!=scott@example.org"], "USER must be lower-case letters", 2),
        (["amelia", "--build", "make | tee"], "no shell runs it", 2),
        (["amelia", "--from", "."], "holds the data of this installation", 1),
        (["amelia", "--from", "empty"], "no files in it", 1),
        (["amelia", "--from", "note.txt"], "is not a zip file", 1),
        (["edit"], "has another meaning", 2),
    ],
)
def test_what_cannot_get_in_leaves_everything_as_it_was(
    empty: Program, arguments: list[str], expected: str, code: int
) -> None:
    (empty.folder / "empty").mkdir()
    (empty.folder / "note.txt").write_text("hello")
    before = (empty.folder / "webordinary.toml").read_text()

    said = empty.run("project", "add", *arguments, code=code)

    assert expected in " ".join(said.replace("│", " ").split())
    assert (empty.folder / "webordinary.toml").read_text() == before
    assert not list((empty.folder / "data").rglob("*.git"))


def test_a_project_gets_in_only_once(bakery: Program) -> None:
    said = bakery.run("project", "add", "amelia", "--from", "bakery", code=2)

    assert "already is" in said
    assert len(bakery.read("project", "list")) == 1


def test_a_build_that_cannot_run_is_said_at_once_and_again_by_check(empty: Program) -> None:
    copy_sample_site(empty.folder / "bakery")

    said = empty.run(
        "project", "add", "amelia", "--from", "bakery", "--editor", SCOTT, "--build", "no-such-program-here"
    )
    assert "could not be built yet" in said

    said = empty.run("project", "check", "amelia", code=1)
    assert "no-such-program-here" in said
    assert "correct `build` or `output`" in said


def test_a_good_project_passes_the_check(bakery: Program) -> None:
    checks = bakery.read("project", "check")

    assert {check["state"] for check in checks} == {"ok"}


def test_a_missing_branch_is_found(bakery: Program) -> None:
    path = bakery.folder / "webordinary.toml"
    path.write_text(path.read_text().replace('branch = "main"', 'branch = "trunk"'))

    assert "there is no branch trunk" in bakery.run("project", "check", code=1)


def test_a_missing_repository_is_found_before_serving(bakery: Program) -> None:
    (bakery.folder / "data" / "repositories" / "amelia.git").rename(bakery.folder / "elsewhere")

    assert "correct" in bakery.run("project", "check", code=1)
    assert "The repository of amelia is not at" in bakery.run("serve", code=2)


@pytest.mark.thorough
def test_one_missing_repository_keeps_nobody_else_from_being_served(bakery: Program) -> None:
    bakery.run("project", "add", "flora", "--from", "bakery", "--editor", "maria=maria@example.org")
    (bakery.folder / "data" / "repositories" / "amelia.git").rename(bakery.folder / "elsewhere")

    with bakery.start("serve") as server:
        server.line_with("The repository of amelia is not at")
        server.line_with("is ready")
        assert server.end(signal.SIGTERM) == 0


def test_a_project_that_is_not_there_cannot_be_checked(bakery: Program) -> None:
    assert "There is no project flora" in bakery.run("project", "check", "flora", code=1)


def astro_site(folder: Path) -> Path:
    copy_sample_site(folder, "sample_astro")
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=All")
    return folder


def test_a_site_whose_pages_are_templates_may_be_changed_by_mail(empty: Program) -> None:
    flora = astro_site(empty.folder / "flora")

    said = empty.run("project", "add", "flora", "--from", str(flora), "--output", "public", "--editor", SCOTT)

    assert "src/pages/index.astro" in said
    assert "templates = true" in said
    (project,) = load_config((empty.folder / "webordinary.toml"), {}).projects
    assert project.rules.templates is True


def test_layouts_alone_are_not_for_mails(empty: Program) -> None:
    site = empty.folder / "hugo"
    copy_sample_site(site)
    (site / "layouts").mkdir()
    (site / "layouts" / "single.html").write_text("<p>")

    said = empty.run("project", "add", "amelia", "--from", "hugo", "--editor", SCOTT)

    assert "templates" not in said
    assert load_config((empty.folder / "webordinary.toml"), {}).projects[0].rules.templates is False


def test_a_project_from_before_hears_that_its_pages_are_templates(empty: Program) -> None:
    flora = astro_site(empty.folder / "flora")
    empty.run("project", "add", "flora", "--from", str(flora), "--output", "public", "--editor", SCOTT)
    text = (empty.folder / "webordinary.toml").read_text()
    (empty.folder / "webordinary.toml").write_text(text.replace("templates = true\n", ""))

    (warning,) = [check for check in empty.read("project", "check") if "templates" in check["text"]]

    assert warning["state"] == "warn"
    assert "src/pages/index.astro" in warning["text"]
    (empty.folder / "webordinary.toml").write_text(text)
    assert not [check for check in empty.read("project", "check") if "templates" in check["text"]]
