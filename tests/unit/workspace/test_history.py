"""A live branch that is rewritten and accepted again and again: threads keep their own work, and nothing else."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.unit.workspace.remote_repository import Remote
from webordinary.errors import Misconfigured
from webordinary.workspace.access import Access
from webordinary.workspace.checkout import Checkout, MergeConflict, Workspace
from webordinary.workspace.history import BranchState, accept, follows, has_been_live, moved_between, state_of
from webordinary.workspace.mirror import BranchGone, Mirror

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def dice_of(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - the same moves each time


class Developer:
    """Rewrites the branch of a bare repository with plumbing: each commit is a set of files."""

    def __init__(self, remote: Remote, dice: random.Random) -> None:
        self.remote = remote
        self.dice = dice
        self.count = 0
        # Every commit that was ever live.
        self.known = [remote.commit("main")]

    @property
    def tip(self) -> str:
        return self.remote.commit("main")

    def files(self, commit: str) -> dict[str, str]:
        names = self.remote.git("ls-tree", "-r", "--name-only", commit).splitlines()
        return {name: self.remote.git("show", f"{commit}:{name}") for name in names}

    def puts(self, commit: str) -> str:
        self.remote.git("update-ref", "refs/heads/main", commit)
        self.known.append(commit)
        return commit

    def commits(self, *parents: str, like: str) -> str:
        """Commit a new file of its own on top of these parents, with the files of one commit besides."""
        self.count += 1
        blob = self._blob(f"by hand {self.count}\n")
        index = {"GIT_INDEX_FILE": str(self.remote.path / "hand-index")}
        self.remote.run(self.remote.path, "read-tree", like, env=index)
        entry = f"100644,{blob},hand-{self.count}.html"
        self.remote.run(self.remote.path, "update-index", "--add", "--cacheinfo", entry, env=index)
        tree = self.remote.run(self.remote.path, "write-tree", env=index)
        named = [word for parent in parents for word in ("-p", parent)]
        return self.remote.run(self.remote.path, "commit-tree", tree, *named, "-m", f"By hand {self.count}")

    def _blob(self, text: str) -> str:
        file = self.remote.path / "hand-file"
        file.write_text(text, encoding="utf-8")
        return self.remote.git("hash-object", "-w", str(file))

    def pushes(self) -> None:
        self.puts(self.commits(self.tip, like=self.tip))

    def amends(self) -> None:
        before = self.remote.git("rev-list", "--parents", "--max-count=1", "main").split()[1:]
        self.puts(self.commits(*before, like=before[0] if before else self.tip))

    def begins_anew(self) -> None:
        self.puts(self.commits(like=self.dice.choice(self.known)))

    def goes_back(self) -> None:
        self.puts(self.dice.choice(self.known))

    def merges_old(self) -> None:
        old = self.dice.choice(self.known)
        merged = {**self.files(old), **self.files(self.tip)}
        if set(merged) == set(self.files(self.tip)) and old != self.tip:
            self.puts(self.commits(self.tip, old, like=self.tip))


class Site:
    """A pointer, the way to it, and threads that each change a file of their own."""

    def __init__(self, folder: Path, remote: Remote) -> None:
        self._workspace = Workspace(folder)
        self._access = Access(remote.url)
        self.mirror: Mirror = self._workspace.mirror_of("amelia", self._access, "main")
        self.mirror.fetch()
        self.seen = self.mirror.live()

    def open(self, thread: str) -> Checkout:
        place = ("amelia", self._access, "main", "scott", thread)
        return self._workspace.open_checkout(*place, patience=timedelta(0), merge=False)

    def level(self) -> None:
        """Do what an agency and a job do: accept what was rewritten, and let the pointer follow."""
        state = state_of(self.mirror, self.seen)
        live = self.mirror.live()
        if state is BranchState.REWRITTEN:
            assert not follows(self.mirror, live, self.seen)
            assert accept(self.mirror, live, self.seen, "amy")
            self.mirror.fetch()
        if live != self.seen:
            # As a target asks: it must not take the new one for something that it has already.
            assert not follows(self.mirror, self.seen, live)
            assert follows(self.mirror, live, self.seen)
        self.seen = live

    def works(self, thread: str, dice: random.Random) -> None:
        """Edit in a thread, look that it holds live and its own work only, and publish it, or not."""
        with self.open(thread) as checkout:
            try:
                checkout.merge_seen_live()
            except MergeConflict as conflict:
                # It was published, changed once more, and then taken out of the branch: only a person can say.
                self.looks_at(conflict, thread)
                checkout.leave_aside("j-1", checkout.live_commit())
            (checkout.path / f"{thread}.html").write_text(f"{thread} {dice.random()}\n", encoding="utf-8")
            checkout.commit("By the agent", author_name="Scott", author_email="s@example.org", trailers={"Job": "j"})
            self.looks(checkout, thread)
            if dice.random() < 0.5:
                prepared = checkout.squash("A change", author_name="Scott", author_email="s@example.org")
                checkout.push_live(prepared, lane="amelia#scott", fence=1, job="j-1")
                assert follows(self.mirror, prepared.commit, self.seen)
                self.seen = prepared.commit

    @staticmethod
    def looks_at(conflict: MergeConflict, thread: str) -> None:
        assert conflict.files == (f"{thread}.html",)

    def looks(self, checkout: Checkout, thread: str) -> None:
        changed = {change.path for change in checkout.changes_for_live()}
        assert changed <= {f"{thread}.html"}, f"{thread} would change {changed}"


@pytest.fixture
def remote(tmp_path: Path) -> Remote:
    return Remote(tmp_path / "far")


def _story(site: Site, developer: Developer, dice: random.Random, steps: int) -> None:
    moves: list[Callable[[], None]] = [
        developer.pushes,
        developer.amends,
        developer.begins_anew,
        developer.goes_back,
        developer.merges_old,
    ]
    for _ in range(steps):
        dice.choice(moves)()
        site.level()
        site.works(dice.choice(("t1", "t2", "t3")), dice)
        developer.known.append(developer.tip)


@pytest.mark.parametrize("seed", [1])
def test_a_thread_keeps_its_own_work_over_every_rewrite(tmp_path: Path, remote: Remote, seed: int) -> None:
    dice = dice_of(seed)
    _story(Site(tmp_path / "here", remote), Developer(remote, dice), dice, 5)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(10, 14))
def test_a_thread_keeps_its_own_work_over_many_rewrites(tmp_path: Path, remote: Remote, seed: int) -> None:
    dice = dice_of(seed)
    _story(Site(tmp_path / "here", remote), Developer(remote, dice), dice, 10)


def test_what_was_live_before_a_rewrite_is_known_on_every_machine(tmp_path: Path, remote: Remote) -> None:
    site, developer = Site(tmp_path / "here", remote), Developer(remote, dice_of(1))
    developer.pushes()
    site.level()
    old = site.seen
    developer.begins_anew()
    site.level()
    elsewhere = Site(tmp_path / "elsewhere", remote).mirror
    assert has_been_live(elsewhere, old)
    assert not elsewhere.is_live(old)
    assert not has_been_live(elsewhere, "f" * 40)
    assert follows(elsewhere, developer.tip, old)
    moved = moved_between(elsewhere, old, developer.tip)
    assert (len(moved.gone), len(moved.came)) == (2, 1)
    assert moved_between(elsewhere, "f" * 40, developer.tip).files == ()


def test_a_history_is_accepted_by_one_of_two(tmp_path: Path, remote: Remote) -> None:
    here, there = Site(tmp_path / "here", remote), Site(tmp_path / "there", remote)
    old = here.seen
    Developer(remote, dice_of(1)).begins_anew()
    for site in (here, there):
        site.mirror.fetch()
    assert accept(here.mirror, here.mirror.live(), old, "amy")
    assert not accept(there.mirror, there.mirror.live(), old, "bob")


def test_a_history_can_be_accepted_after_the_old_one_is_lost(tmp_path: Path, remote: Remote) -> None:
    mirror = Site(tmp_path / "here", remote).mirror
    assert state_of(mirror, "f" * 40) is BranchState.REWRITTEN
    assert accept(mirror, mirror.live(), "f" * 40, "amy")
    assert state_of(mirror, "f" * 40) is BranchState.AHEAD


def test_a_ref_of_somebody_else_is_refused_in_words(tmp_path: Path, remote: Remote) -> None:
    mirror = Site(tmp_path / "here", remote).mirror
    remote.git("update-ref", "refs/webordinary/history/live", remote.commit("main"))
    mirror.fetch()
    with pytest.raises(Misconfigured, match="is not ours"):
        follows(mirror, mirror.live(), mirror.live())


def test_a_branch_that_is_gone_has_words_of_its_own(tmp_path: Path, remote: Remote) -> None:
    mirror = Site(tmp_path / "here", remote).mirror
    old = mirror.live()
    remote.git("update-ref", "-d", "refs/heads/main")
    assert state_of(mirror, old) is BranchState.GONE
    assert not mirror.is_live(old)
    with pytest.raises(BranchGone, match="has no branch 'main'"):
        mirror.live()
