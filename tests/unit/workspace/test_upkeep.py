"""Branches of ended conversations are removed and loose objects packed, and never while a job runs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.unit.workspace.test_checkout import Amelia, commit, write
from webordinary.workspace.access import Access
from webordinary.workspace.upkeep import Ages, MirrorUpkeep

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.workspace.remote_repository import Remote

NOW = datetime(2026, 3, 2, tzinfo=UTC)
HALF_A_YEAR = Ages(NOW - timedelta(days=180), NOW - timedelta(days=30))


@pytest.fixture
def amelia(tmp_path: Path) -> Amelia:
    return Amelia(tmp_path)


def upkeep_of(amelia: Amelia) -> MirrorUpkeep:
    return MirrorUpkeep(amelia.root, "amelia", Access(amelia.remote.url), "main")


def add_branch(remote: Remote, thread: str, made_at: datetime, committer: str = "webordinary@localhost") -> None:
    """Let a conversation of that day have a branch at the remote."""
    who = {"GIT_COMMITTER_EMAIL": committer, "GIT_COMMITTER_DATE": f"{made_at.timestamp():.0f} +0000"}
    tree = remote.git("rev-parse", "main^{tree}")
    made = remote.run(remote.path, "commit-tree", tree, "-p", "main", "-m", thread, env=who)
    remote.git("update-ref", f"refs/heads/thread-{thread}", made)


def branches(remote: Remote) -> set[str]:
    return {line.removeprefix("refs/heads/") for line in remote.git("for-each-ref", "--format=%(refname)").splitlines()}


def test_old_branches_of_ended_conversations_leave_the_mirror_and_the_remote(amelia: Amelia) -> None:
    remote = amelia.remote
    add_branch(remote, "old", NOW - timedelta(days=200))
    add_branch(remote, "young", NOW - timedelta(days=100))
    add_branch(remote, "waits", NOW - timedelta(days=300))
    add_branch(remote, "theirs", NOW - timedelta(days=300), "developer@example.org")
    with amelia.open("here"):
        pass
    upkeep = upkeep_of(amelia)
    assert upkeep.is_there
    assert upkeep.prune_branches(HALF_A_YEAR, lambda: {"waits"}, at_remote=False) == 0
    assert upkeep.prune_branches(HALF_A_YEAR, lambda: {"waits"}, at_remote=True) == 1
    left = {name for name in branches(remote) if name.startswith("thread-")}
    assert left == {"thread-young", "thread-waits", "thread-theirs"}
    assert upkeep.prune_branches(HALF_A_YEAR, set, at_remote=True) == 1


def test_a_branch_in_the_mirror_alone_goes_too_and_not_the_one_that_is_checked_out(amelia: Amelia) -> None:
    for thread in ("one", "two"):
        with amelia.open(thread) as checkout:
            write(checkout, "index.html", thread)
            commit(checkout, thread)
    later = Ages(datetime.now(UTC) + timedelta(days=1), datetime.now(UTC) + timedelta(days=1))
    assert upkeep_of(amelia).prune_branches(later, set, at_remote=True) == 1
    with amelia.open("one") as checkout:
        assert not checkout.differs_from_live()
    with amelia.open("two") as checkout:
        assert checkout.differs_from_live()


def test_nothing_is_done_while_a_job_of_the_project_runs(amelia: Amelia) -> None:
    add_branch(amelia.remote, "old", NOW - timedelta(days=200))
    upkeep = upkeep_of(amelia)
    with amelia.open("running"):
        assert upkeep.prune_branches(HALF_A_YEAR, set, at_remote=True) is None
        assert not upkeep.pack()
    assert upkeep.prune_branches(HALF_A_YEAR, set, at_remote=True) == 1


def test_one_branch_that_the_repository_protects_keeps_no_other(amelia: Amelia) -> None:
    remote = amelia.remote
    for thread in ("a", "b", "c"):
        add_branch(remote, thread, NOW - timedelta(days=200))
    hook = remote.path / "hooks" / "update"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text('#!/bin/sh\ntest "$1" != refs/heads/thread-b\n', encoding="ascii")
    hook.chmod(0o755)
    with amelia.open("here"):
        pass
    assert upkeep_of(amelia).prune_branches(HALF_A_YEAR, set, at_remote=True) == 2
    assert {name for name in branches(remote) if name.startswith("thread-")} == {"thread-b"}


def test_many_loose_objects_become_one_pack(amelia: Amelia) -> None:
    with amelia.open("here") as checkout:
        for number in range(200):
            write(checkout, f"pages/{number}.html", str(number))
        commit(checkout, "many")
        for number in range(400):
            write(checkout, f"pages/{number}.html", f"new {number}")
        commit(checkout, "more")
    mirror = amelia.root / "projects" / "amelia" / "mirror.git"
    loose = list((mirror / "objects").glob("??/*"))
    assert len(loose) > 500
    assert upkeep_of(amelia).pack()
    assert len(list((mirror / "objects").glob("??/*"))) < 10
    assert not upkeep_of(amelia).pack()
    with amelia.open("here") as checkout:
        assert (checkout.path / "pages" / "7.html").read_text(encoding="utf-8") == "new 7"
