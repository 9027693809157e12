"""Repositories, agents and builds that misbehave: each has one defined end, and the site stays as it was."""

from __future__ import annotations

import os
import shutil
import socket
from typing import TYPE_CHECKING

import pytest

from tests.pictures import photo
from tests.rigs.embedded import EmbeddedRig, git
from webordinary.audit.entry import EventType
from webordinary.child import run
from webordinary.jobs.job import Outcome, State
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, SCOTT, Story

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.jobs.job import Job

AS_IT_WAS = ["The site as it was"]


def folder_of(story: Story) -> Path:
    assert isinstance(story.rig, EmbeddedRig)
    return story.rig.folder


def command(script: str) -> dict[str, str]:
    return {"agent": f'kind = "command"\nrepairs = false\ncommand = ["sh", "-c", "{script}"]'}


def asks(story: Story, text: str = "We open at nine now") -> Job:
    """Let Scott write, wait for the end and for the answer, which every end has."""
    job = story.waits_for_job(story.writes(SCOTT, text))
    story.waits_for_answer(SCOTT)
    return job


def test_a_repository_that_is_gone_is_our_fault_and_said(story: Story) -> None:
    story.begin(settings={"workers": 'backoff = ["0 s"]'})
    shutil.rmtree(folder_of(story) / "amelia.git")
    job = asks(story)
    assert job.state == State.FAILED
    assert "There is no git repository at" in (job.error or "")


def test_a_live_branch_that_was_renamed_is_named(story: Story) -> None:
    story.begin()
    git(folder_of(story) / "amelia.git", "branch", "-m", "main", "live")
    job = asks(story)
    assert job.state == State.FAILED
    assert "has no branch 'main'" in (job.error or "")


@pytest.mark.parametrize(
    ("script", "end"),
    [
        ("while :; do sleep 100 & done", "it started more than 400 processes"),
        ("rm -rf *", "more than the 20 that are allowed at once"),
        ("mkdir -p .github/workflows; touch .github/workflows/x.yml; sed -i s/Bakery/Bakers/ index.html", ".github"),
        ("ln -s /etc etc; sed -i s/Bakery/Bakers/ index.html", "etc"),
        ("exit 3", "ended with code 3"),
    ],
)
def test_an_agent_that_misbehaves_changes_nothing_live(story: Story, script: str, end: str) -> None:
    story.begin(settings=command(script))
    job = asks(story)
    assert job.state == State.FAILED
    assert end in (job.error or "")
    assert story.rig.live_log("amelia") == AS_IT_WAS


@pytest.mark.thorough
def test_an_agent_that_hangs_is_ended_with_the_time_of_the_job(story: Story) -> None:
    story.begin(settings={**command("sleep 1000"), "workers": 'deadline = "9 s"'})
    job = asks(story)
    assert job.state == State.FAILED
    assert story.rig.live_log("amelia") == AS_IT_WAS


@pytest.mark.thorough
def test_an_agent_that_floods_its_output_fills_neither_the_trail_nor_the_answer(story: Story) -> None:
    story.begin(settings=command("yes a very long day | head -c 20000000"))
    job = asks(story)
    assert job.outcome == Outcome.NOTHING_CHANGED
    assert len(story.told(EventType.AGENT_SAID)) <= 200
    assert len(story.waits_for_answer(SCOTT).text) < 20_000


@pytest.mark.parametrize(
    ("agent", "end"),
    [
        ('kind = "command"\ncommand = ["no-such-agent"]', "no-such-agent"),
        ('kind = "claude"\nkey = "sk-0123456789"\nprogram = "{folder}/nothing"', "There is no Claude Code at"),
        ('kind = "claude"\nkey = "sk-0123456789"\nprogram = "{folder}/old"', "Claude Code 2.0.1 is too old"),
    ],
)
def test_an_agent_that_is_missing_or_too_old_is_named(story: Story, agent: str, end: str) -> None:
    old = folder_of(story) / "old"
    old.write_text("#!/bin/sh\necho '2.0.1 (Claude Code)'\n", encoding="ascii")
    old.chmod(0o755)
    story.begin(settings={"agent": agent.format(folder=folder_of(story))})
    job = asks(story)
    assert job.state == State.FAILED
    assert end in (job.error or "")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("script", "deadline", "ends"),
    [
        ("sleep 1000", "9 s", ("the build did not come to an end", "it took longer", "the request took longer")),
        (
            "python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", {port}))'",
            "20 min",
            ("ended with an error",),
        ),
    ],
)
def test_a_build_that_misbehaves_changes_nothing_live(
    story: Story, script: str, deadline: str, ends: tuple[str, ...]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        build = ("sh", "-c", script.format(port=port))
        site = SiteSetup("amelia", BAKERY.editors, build=build, output="dist")
        story.begin(site, settings={"workers": f'deadline = "{deadline}"'})
        job = asks(story)
        server.settimeout(0)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert job.state == State.FAILED
    assert any(end in (job.error or "") for end in ends), job.error
    assert story.rig.live_log("amelia") == AS_IT_WAS


@pytest.mark.thorough
def test_a_build_that_writes_outside_reaches_nobody(story: Story) -> None:
    folder = folder_of(story)
    script = f"mkdir dist; cp *.html dist; echo x > {folder}/outside; echo x > {folder}/webordinary.toml; true"
    story.begin(SiteSetup("amelia", BAKERY.editors, build=("sh", "-c", script), output="dist"))
    before = (folder / "webordinary.toml").read_bytes()
    assert asks(story).outcome == Outcome.PUBLISHED
    assert not (folder / "outside").exists()
    assert (folder / "webordinary.toml").read_bytes() == before


@pytest.mark.thorough
def test_a_photo_whose_name_leads_out_stays_inside(story: Story) -> None:
    story.begin()
    sent = (("../../x.jpg", "image/jpeg", photo()),)
    job = story.waits_for_job(story.writes(SCOTT, "Put this picture on the about page", files=sent))
    assert job.state == State.DONE
    assert "x.jpg" in story.waits_for_answer(SCOTT).text
    outside = [path for path in folder_of(story).rglob("x.*") if "sites" not in path.parts and "data" not in path.parts]
    assert outside == []
    assert not (folder_of(story).parent / "x.jpg").exists()


@pytest.mark.thorough
def test_a_repository_with_a_hundred_thousand_files_is_served(story: Story) -> None:
    site = SiteSetup("amelia", BAKERY.editors, output="public")
    story.begin(site)
    grow(folder_of(story) / "amelia.git", [f"archive/{n // 1000}/{n}.txt" for n in range(100_000)], b"x\n")
    job = asks(story)
    assert job.outcome == Outcome.PUBLISHED, job.error
    assert "9:00 – 18:00" in story.rig.page("amelia", "contact.html")


@pytest.mark.thorough
def test_a_huge_file_in_the_repository_is_served(story: Story) -> None:
    story.begin(SiteSetup("amelia", BAKERY.editors, output="public"))
    grow(folder_of(story) / "amelia.git", ["public/film.bin"], bytes(200_000_000))
    job = asks(story)
    assert job.outcome == Outcome.PUBLISHED, job.error
    assert "9:00 – 18:00" in story.rig.page("amelia", "contact.html")


def grow(repository: Path, paths: list[str], content: bytes) -> None:
    """Put the site into `public/` and one content under many names beside it, without ever writing the files."""
    tree = git(repository, "ls-tree", "-r", "main").splitlines()
    moved = [line.split(None, 3) for line in tree]
    lines = [b"blob\nmark :1\ndata %d\n" % len(content) + content + b"\n"]
    lines.append(b"commit refs/heads/main\ncommitter A <a@example.com> 1700000000 +0000\ndata 4\nGrow\n")
    lines.append(b"from refs/heads/main^0\ndeleteall\n")
    lines += [f"M {mode} {name} public/{path}\n".encode() for mode, _, name, path in moved]
    lines += [f"M 100644 :1 {path}\n".encode() for path in paths]
    words = ["git", "fast-import", "--quiet"]
    done = run(words, cwd=repository, env={"PATH": os.environ["PATH"]}, stdin=b"".join(lines))
    assert done.succeeded, done.stderr
