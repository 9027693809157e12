from __future__ import annotations

import socket
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.unit.workspace.remote_repository import Remote
from webordinary.errors import Misconfigured, TryAgain
from webordinary.workspace.access import Access
from webordinary.workspace.git import Git, GitFailed, RepositoryGone
from webordinary.workspace.mirror import Mirror, Update

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def remote(tmp_path: Path) -> Remote:
    return Remote(tmp_path / "far")


def test_git_runs_no_hook_and_reads_no_configuration_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\n\tname = Somebody\n", encoding="utf-8")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("SECRET_OF_THE_WORKER", "42")
    git = Git(tmp_path, repository=tmp_path / ".git")
    git.read("init", "--quiet")
    hook = tmp_path / ".git" / "hooks" / "post-commit"
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/hook-ran\n", encoding="utf-8")
    hook.chmod(0o755)
    git.read("commit", "--quiet", "--allow-empty", "-m", "first")
    assert git.read("log", "--format=%an") == "WebOrdinary"
    assert not (tmp_path / "hook-ran").exists()
    assert "SECRET_OF_THE_WORKER" not in git.read("-c", "alias.environment=!env", "environment")


def test_what_lies_in_the_folder_cannot_choose_the_repository(tmp_path: Path) -> None:
    mine = Git(tmp_path / "work", repository=tmp_path / "mine.git")
    (tmp_path / "work").mkdir()
    mine.read("init", "--quiet")
    (tmp_path / "work" / ".git").write_text("gitdir: /somewhere/else\n", encoding="utf-8")
    mine.read("commit", "--quiet", "--allow-empty", "-m", "mine")
    assert mine.read("log", "--format=%s") == "mine"


def test_a_failed_command_keeps_gits_words_for_the_operator(tmp_path: Path) -> None:
    git = Git(tmp_path, repository=tmp_path / ".git")
    with pytest.raises(GitFailed, match="git log failed") as failure:
        git.read("log")
    assert "not a git repository" in failure.value.details


def test_a_name_that_means_no_commit_is_none_even_if_it_looks_like_an_option(tmp_path: Path) -> None:
    git = Git(tmp_path, repository=tmp_path / ".git")
    git.read("init", "--quiet")
    assert git.commit_named("nothing") is None
    assert git.commit_named("--all") is None


def test_git_that_does_not_end_is_tried_again(tmp_path: Path) -> None:
    git = Git(tmp_path, repository=tmp_path / ".git")
    with pytest.raises(TryAgain, match="did not end"):
        git.attempt("-c", "alias.hang=!sleep 1000", "hang", deadline=timedelta(0))


def test_a_missing_repository_is_for_a_person_to_correct(tmp_path: Path) -> None:
    mirror = Mirror(tmp_path / "near", Access(str(tmp_path / "nowhere.git")), "main")
    with pytest.raises(RepositoryGone, match="no git repository at"):
        mirror.fetch()


def test_a_missing_branch_is_for_a_person_to_correct(tmp_path: Path, remote: Remote) -> None:
    mirror = Mirror(tmp_path / "near", Access(remote.url), "live")
    mirror.fetch()
    with pytest.raises(Misconfigured, match="has no branch 'live'"):
        mirror.live()


def test_a_remote_that_does_not_answer_is_tried_again_and_its_password_is_not_told(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        mirror = Mirror(tmp_path / "near", Access(f"http://bob:hunter2@127.0.0.1:{port}/site.git"), "main")
        with pytest.raises(TryAgain) as failure:
            mirror.fetch()
    assert "hunter2" not in str(failure.value)
    kept = [path.read_bytes() for path in (tmp_path / "near").rglob("*") if path.is_file()]
    assert not any(b"hunter2" in content for content in kept)


def test_an_address_that_is_a_command_is_not_run(tmp_path: Path) -> None:
    mirror = Mirror(tmp_path / "near", Access(f"ext::sh -c touch% {tmp_path}/ran"), "main")
    with pytest.raises(TryAgain):
        mirror.fetch()
    assert not (tmp_path / "ran").exists()


def test_a_push_moves_all_refs_and_the_mirror_knows_it(tmp_path: Path, remote: Remote) -> None:
    mirror = Mirror(tmp_path / "near", Access(remote.url), "main")
    mirror.fetch()
    live = mirror.live()
    fence = mirror.git.read("commit-tree", mirror.git.read("mktree"), stdin=b"fence")
    assert (
        mirror.push([Update("refs/heads/one", None, live), Update("refs/webordinary/fence/a_b", None, fence)]) is None
    )
    assert remote.refs() == {"refs/heads/main": live, "refs/heads/one": live, "refs/webordinary/fence/a_b": fence}
    assert mirror.branch_at_remote("one") == live
    assert mirror.fence_at_remote("a_b") == fence


def test_a_push_with_one_wrong_belief_moves_nothing(tmp_path: Path, remote: Remote) -> None:
    mirror = Mirror(tmp_path / "near", Access(remote.url), "main")
    mirror.fetch()
    live = mirror.live()
    moved = remote.push({"index.html": "by hand"})
    mine = mirror.git.read("commit-tree", f"{live}^{{tree}}", "-p", live, stdin=b"mine")
    refusal = mirror.push([Update("refs/heads/main", live, mine), Update("refs/heads/one", None, mine)])
    assert refusal is not None
    assert "stale info" in refusal
    assert remote.refs() == {"refs/heads/main": moved}


def test_the_mirror_forgets_what_the_remote_has_removed(tmp_path: Path, remote: Remote) -> None:
    remote.git("branch", "old", "main")
    mirror = Mirror(tmp_path / "near", Access(remote.url), "main")
    mirror.fetch()
    assert mirror.branch_at_remote("old") is not None
    remote.git("branch", "-D", "old")
    mirror.fetch()
    assert mirror.branch_at_remote("old") is None


def test_a_damaged_mirror_does_not_guess_about_history(tmp_path: Path, remote: Remote) -> None:
    first = remote.commit("main")
    middle = remote.push({"index.html": "two"})
    last = remote.push({"index.html": "three"})
    mirror = Mirror(tmp_path / "near", Access(remote.url), "main")
    mirror.fetch()
    assert mirror.descends(last, first)
    assert not mirror.descends(first, last)
    assert not mirror.descends(last, "1" * 40)
    lost = mirror.path / "objects" / middle[:2] / middle[2:]
    mirror.git.read("unpack-objects", "-q", stdin=_packed(mirror))
    lost.chmod(0o600)
    lost.unlink()
    with pytest.raises(GitFailed, match="damaged"):
        mirror.descends(last, first)


def _packed(mirror: Mirror) -> bytes:
    """Take the mirror's packs away and return what was in them, so that single objects can be lost."""
    content = b""
    for pack in (mirror.path / "objects" / "pack").iterdir():
        if pack.suffix == ".pack":
            content = pack.read_bytes()
        pack.chmod(0o600)
        pack.unlink()
    return content or mirror.git.read_bytes("pack-objects", "--all", "--stdout", "-q")
