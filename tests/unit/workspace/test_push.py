from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.unit.workspace.remote_repository import PAGE, Remote
from webordinary.errors import Misconfigured, TryAgain
from webordinary.workspace.access import Access
from webordinary.workspace.checkout import Checkout, Prepared, PushResult, Workspace
from webordinary.workspace.fences import advance_fence, fence_seen, next_link
from webordinary.workspace.mirror import Mirror, Update
from webordinary.workspace.push import PushRefused

if TYPE_CHECKING:
    from pathlib import Path

LANE = "amelia#scott"
FENCE = "refs/webordinary/fence/amelia_scott"


class Machine:
    """One machine with a workspace of its own, on which one thread of the lane is open."""

    def __init__(self, folder: Path, remote: Remote, *, user: str = "scott", thread: str = "t1") -> None:
        self.remote = remote
        self.lane = f"amelia#{user}"
        self._opened = ("amelia", Access(remote.url), "main", user, thread)
        self._workspace = Workspace(folder)
        self.checkout = self.open()

    def open(self, *, merge: bool = True) -> Checkout:
        return self._workspace.open_checkout(*self._opened, patience=timedelta(0), merge=merge)

    def change(self, page: str, name: str = "index.html") -> Prepared:
        """Let the agent change a page and prepare the commit of job `j-1`."""
        (self.checkout.path / name).write_text(page, encoding="utf-8")
        self.checkout.commit("By the agent", author_name="Scott", author_email="scott@example.org")
        return self.prepare()

    def prepare(self) -> Prepared:
        return self.checkout.squash(
            "We open at nine", author_name="Scott", author_email="scott@example.org", trailers={"Job": "j-1"}
        )

    def push(self, prepared: Prepared, fence: int) -> PushResult:
        return self.checkout.push_live(prepared, lane=self.lane, fence=fence, job="j-1")


@pytest.fixture
def remote(tmp_path: Path) -> Remote:
    return Remote(tmp_path / "far")


@pytest.fixture
def one(tmp_path: Path, remote: Remote) -> Machine:
    return Machine(tmp_path / "one", remote)


@pytest.fixture
def other(tmp_path: Path, remote: Remote) -> Machine:
    return Machine(tmp_path / "other", remote)


def test_a_job_becomes_one_commit_on_top_of_live(one: Machine, remote: Remote) -> None:
    before = remote.commit("main")
    one.change("half done")
    prepared = one.change("done")
    assert remote.commit("main") == before
    assert one.push(prepared, 1) == PushResult.PUSHED
    assert remote.commit("main") == prepared.commit
    assert remote.git("rev-list", "--count", f"{before}..main") == "1"
    assert remote.commit("main^") == prepared.base == before
    assert remote.git("log", "-1", "--format=%an%n%B", "main") == "Scott\nWe open at nine\n\nJob: j-1"
    assert remote.read("index.html") == "done"
    assert one.checkout.describe(prepared.commit) == "changed index.html"


def test_live_thread_and_fence_move_together(one: Machine, remote: Remote) -> None:
    prepared = one.change("done")
    assert one.push(prepared, 7) == PushResult.PUSHED
    refs = remote.refs()
    assert set(refs) == {"refs/heads/main", "refs/heads/thread-t1", FENCE}
    assert refs["refs/heads/thread-t1"] == one.checkout.tip
    assert remote.git("log", "-1", "--format=%s", FENCE).startswith("fence 7 job j-1 ")
    assert remote.git("ls-tree", FENCE) == ""


def test_after_publishing_the_thread_goes_on_and_publishes_again(one: Machine, remote: Remote) -> None:
    assert one.push(one.change("first"), 1) == PushResult.PUSHED
    assert not one.checkout.merge_live()
    assert not one.checkout.differs_from_live()
    remote.push({"about.html": "by hand"})
    assert one.checkout.merge_live()
    prepared = one.change("second")
    assert one.push(prepared, 1) == PushResult.PUSHED
    assert (remote.read("index.html"), remote.read("about.html")) == ("second", "by hand")
    assert remote.git("log", "--format=%s", "main") == "We open at nine\nBy hand\nWe open at nine\nBy hand"


def test_a_thread_without_what_is_live_cannot_undo_it(one: Machine, remote: Remote) -> None:
    one.change("mine")
    one.checkout.close()
    remote.push({"about.html": "by hand"})
    one.checkout = one.open(merge=False)
    with pytest.raises(TryAgain, match="merge that first"):
        one.prepare()


def test_a_push_for_a_live_branch_that_has_moved_changes_nothing(one: Machine, remote: Remote) -> None:
    prepared = one.change("mine")
    moved = remote.push({"about.html": "by hand"})
    assert one.push(prepared, 1) == PushResult.LIVE_MOVED
    assert remote.refs() == {"refs/heads/main": moved}
    one.checkout.merge_live()
    assert one.push(one.prepare(), 1) == PushResult.PUSHED
    assert (remote.read("index.html"), remote.read("about.html")) == ("mine", "by hand")


def test_two_lanes_that_publish_at_once_never_undo_each_other(one: Machine, tmp_path: Path, remote: Remote) -> None:
    other = Machine(tmp_path / "other", remote, user="bob", thread="t2")
    first, second = one.change(PAGE.replace("eight", "nine")), other.change(PAGE.replace("sleep", "rest"))
    assert one.push(first, 4) == PushResult.PUSHED
    assert other.push(second, 1) == PushResult.LIVE_MOVED
    other.checkout.merge_live()
    assert other.push(other.prepare(), 1) == PushResult.PUSHED
    assert remote.read("index.html") == PAGE.replace("eight", "nine").replace("sleep", "rest").rstrip("\n")


def test_what_another_lane_sees_of_live_does_not_move_below_a_lane_at_work(
    one: Machine, tmp_path: Path, remote: Remote
) -> None:
    neighbour = Machine(tmp_path / "one", remote, user="bob", thread="t2")
    remote.push({"about.html": "by hand"})
    neighbour.checkout.merge_live()  # through the mirror that both lanes share
    assert not one.checkout.differs_from_live()
    prepared = one.change("mine")
    assert [change.path for change in one.checkout.changes_for_live()] == ["index.html"]
    assert one.push(prepared, 1) == PushResult.LIVE_MOVED
    one.checkout.merge_live()
    assert one.push(one.prepare(), 1) == PushResult.PUSHED
    assert (remote.read("index.html"), remote.read("about.html")) == ("mine", "by hand")


def test_lanes_of_one_machine_publish_at_the_same_time_and_nothing_is_lost(tmp_path: Path, remote: Remote) -> None:
    users = ("anna", "bob", "scott")
    remote.push({f"{user}.html": "old" for user in users})

    def publish(user: str) -> str:
        machine = Machine(tmp_path / "one", remote, user=user, thread=user)
        prepared = machine.change("new", f"{user}.html")
        while (result := machine.push(prepared, 1)) != PushResult.PUSHED:
            assert result == PushResult.LIVE_MOVED
            machine.checkout.merge_live()
            prepared = machine.prepare()
        return remote.read(f"{user}.html")

    with ThreadPoolExecutor() as threads:
        assert list(threads.map(publish, users)) == ["new"] * 3
    assert [remote.read(f"{user}.html") for user in users] == ["new"] * 3


def test_a_push_that_succeeded_before_a_crash_is_found_to_be_live(one: Machine, other: Machine, remote: Remote) -> None:
    prepared = one.change("mine")
    assert one.push(prepared, 1) == PushResult.PUSHED
    remote.push({"about.html": "by hand"})
    refs = remote.refs()
    assert one.push(prepared, 1) == PushResult.PUSHED
    assert other.checkout.is_live(prepared.commit)
    assert remote.refs() == refs


def test_after_a_crash_between_push_and_record_the_thread_goes_on_from_what_was_pushed(
    one: Machine, remote: Remote
) -> None:
    prepared = one.change("mine")
    before = one.checkout.tip
    assert one.push(prepared, 1) == PushResult.PUSHED
    pushed = one.checkout.tip
    Remote.run(one.checkout.path, "reset", "--quiet", "--hard", before)
    one.checkout.close()
    one.checkout = one.open(merge=False)
    assert one.checkout.tip == pushed
    assert one.push(prepared, 1) == PushResult.PUSHED
    assert remote.commit("thread-t1") == pushed


def test_a_commit_that_was_never_pushed_is_not_live(one: Machine, other: Machine) -> None:
    prepared = one.change("mine")
    assert not one.checkout.is_live(prepared.commit)
    assert not other.checkout.is_live(prepared.commit)


def test_an_owner_of_yesterday_is_refused_by_the_remote(one: Machine, other: Machine, remote: Remote) -> None:
    prepared = one.change("of yesterday")
    assert other.checkout.advance_fence(LANE, 6)
    assert one.push(prepared, 5) == PushResult.STALE_FENCE
    assert not one.checkout.advance_fence(LANE, 5)
    assert not one.checkout.push_thread(lane=LANE, fence=5, job="j-1")
    assert set(remote.refs()) == {"refs/heads/main", FENCE}
    assert remote.read("index.html") == PAGE.rstrip("\n")


def test_the_same_owner_may_show_its_fence_as_often_as_it_likes(one: Machine, remote: Remote) -> None:
    assert one.checkout.advance_fence(LANE, 6)
    assert one.checkout.advance_fence(LANE, 6)
    assert one.push(one.change("mine"), 6) == PushResult.PUSHED
    assert remote.git("rev-list", "--count", FENCE) == "3"


def test_fences_of_other_lanes_do_not_matter(one: Machine) -> None:
    assert one.checkout.advance_fence("amelia#bob", 99)
    assert one.push(one.change("mine"), 1) == PushResult.PUSHED


def test_an_owner_that_slept_between_looking_and_pushing_is_refused(tmp_path: Path, remote: Remote) -> None:
    asleep, awake = (Mirror(tmp_path / name, Access(remote.url), "main") for name in ("asleep", "awake"))
    asleep.fetch()
    live = asleep.live()
    mine = asleep.git.read("commit-tree", f"{live}^{{tree}}", "-p", live, stdin=b"mine")
    updates = [Update("refs/heads/main", live, mine), next_link(asleep, LANE, 5, "j-1")]
    assert advance_fence(awake, LANE, 6)
    assert asleep.push(updates) is not None
    assert remote.commit("main") == live
    asleep.fetch()
    assert fence_seen(asleep, LANE) == 6


def test_two_first_fences_are_never_the_same_commit(tmp_path: Path, remote: Remote) -> None:
    mirror = Mirror(tmp_path / "near", Access(remote.url), "main")
    mirror.fetch()
    assert next_link(mirror, LANE, 5, "j-1") != next_link(mirror, LANE, 5, "j-1")


def test_a_remote_with_rules_of_its_own_tells_its_reason(one: Machine, remote: Remote) -> None:
    hook = remote.path / "hooks" / "update"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\n[ $1 != refs/heads/main ]\n", encoding="utf-8")
    hook.chmod(0o755)
    before = remote.refs()
    with pytest.raises(PushRefused, match=r"refused the change to 'main': .*hook declined"):
        one.push(one.change("mine"), 1)
    assert remote.refs() == before


def test_a_connection_that_broke_behind_the_push_is_found_out(one: Machine, remote: Remote) -> None:
    # The remote takes the change and dies before it can say so.
    hook = remote.path / "hooks" / "post-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nkill -9 $PPID\n", encoding="utf-8")
    hook.chmod(0o755)
    prepared = one.change("mine")
    assert one.push(prepared, 1) == PushResult.PUSHED
    assert remote.commit("main") == prepared.commit


def test_a_fence_ref_that_is_not_ours_is_for_a_person_to_remove(one: Machine, remote: Remote) -> None:
    remote.git("update-ref", FENCE, "main")
    with pytest.raises(Misconfigured, match="is not ours"):
        one.push(one.change("mine"), 1)
