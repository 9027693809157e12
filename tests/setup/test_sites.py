"""Where the first site can come from: a ZIP, a repository with a deploy key, a page to begin with."""

from __future__ import annotations

import json
import subprocess
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from tests.remotes.ssh_server import ssh_server
from tests.setup.ground import DOMAIN, program_in, states, write_answers
from webordinary.testing.samples import copy_sample_site

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.inside import InsideProgram

LATER = {each: {"later": True} for each in ("agent", "sandbox", "budget", "editor", "service", "first-mail")}


def begun(folder: Path) -> InsideProgram:
    program = program_in(folder)
    program.run("init", "--domain", DOMAIN)
    return program


def bring_in(program: InsideProgram, site: dict[str, Any], *, wait: str = "0s") -> dict[str, Any]:
    """Go from the site's step on, and return what became of each."""
    path = write_answers(program.folder, {"site": site, "project": {"id": "amelia"}, **LATER})
    words = ["setup", "--from", "site", "--answers", str(path), "--wait", wait, "--json"]
    told = json.loads(program.run(*words, code=1))
    return {each["step"]: each for each in told["steps"]}


def test_a_zip_becomes_a_site_and_a_hostile_one_nothing(tmp_path: Path) -> None:
    program = begun(tmp_path)
    copy_sample_site(tmp_path / "bakery")
    good, bad = tmp_path / "good.zip", tmp_path / "bad.zip"
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr("../../outside.html", "x")
    with zipfile.ZipFile(good, "w") as archive:
        for file in (tmp_path / "bakery").rglob("*.html"):
            archive.write(file, file.relative_to(tmp_path))

    refused = bring_in(program, {"kind": "zip", "place": str(bad)})
    assert "would land outside of the site" in refused["project"]["problem"]
    assert "agent" not in refused
    assert states(program)["project"] == "begun"

    taken = bring_in(program, {"kind": "zip", "place": str(good)})
    assert [taken[each]["state"] for each in ("site", "project")] == ["done", "done"]
    assert [each["id"] for each in program.read("project", "list")] == ["amelia"]


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_a_repository_lets_us_in_by_a_key_that_was_made_for_it(tmp_path: Path) -> None:
    program = begun(tmp_path)
    copy_sample_site(tmp_path / "work")
    bare = tmp_path / "far.git"
    for words in (
        ["git", "init", "-q", "--bare", "-b", "trunk", str(bare)],
        ["git", "-C", str(tmp_path / "work"), "init", "-q", "-b", "trunk"],
        ["git", "-C", str(tmp_path / "work"), "add", "--all"],
        ["git", "-C", str(tmp_path / "work"), "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "x"],
        ["git", "-C", str(tmp_path / "work"), "push", "-q", str(bare), "trunk"],
    ):
        subprocess.run(words, check=True)
    with ssh_server(tmp_path / "sshd") as server:
        site = {"kind": "git", "repository": server.address(bare), "host_key": server.host_key}

        waiting = bring_in(program, site)
        assert waiting["site"]["state"] == "waiting"
        public = (tmp_path / "data" / "secrets" / "deploy-key.pub").read_text().strip()
        assert public in "\n".join(waiting["site"]["done"])
        assert (tmp_path / "data" / "secrets" / "deploy-key").stat().st_mode & 0o077 == 0

        # Somebody puts it there, and the walk goes on.
        with (server.folder / "authorized_keys").open("a") as file:
            file.write(f"{public}\n")
        done = bring_in(program, site)
        assert [done[each]["state"] for each in ("site", "project")] == ["done", "done"]
    (project,) = program.read("project", "list")
    assert (project["branch"], project["repository"].endswith("/far.git")) == ("trunk", True)
    assert 'ssh_key_file = "data/secrets/deploy-key"' in (tmp_path / "webordinary.toml").read_text()
