from __future__ import annotations

import os
import time
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.unit.workspace.remote_repository import PAGE, WHO, Remote
from webordinary.child import Child, is_alive
from webordinary.errors import JobFailed, Misconfigured, TryAgain
from webordinary.workspace.access import Access
from webordinary.workspace.change import read_changes
from webordinary.workspace.checkout import Change, ChangeKind, Checkout, MergeConflict, Workspace
from webordinary.workspace.git import GitFailed
from webordinary.workspace.staging import stage

if TYPE_CHECKING:
    from pathlib import Path

AT_ONCE = timedelta(0)


class Amelia:
    """The project `amelia`, whose lanes are opened in one workspace."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "workspace"
        self.remote = Remote(folder / "far")
        self.workspace = Workspace(self.root)

    def open(self, thread: str = "t1", user: str = "scott", *, merge: bool = True) -> Checkout:
        return self.workspace.open_checkout(
            "amelia", Access(self.remote.url), "main", user, thread, patience=AT_ONCE, merge=merge
        )


@pytest.fixture
def amelia(tmp_path: Path) -> Amelia:
    return Amelia(tmp_path)


def write(checkout: Checkout, name: str, text: str) -> None:
    path = checkout.path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def commit(checkout: Checkout, message: str, trailers: dict[str, str] | None = None) -> str | None:
    return checkout.commit(message, author_name="Scott", author_email="scott@example.org", trailers=trailers)


def changed_files(checkout: Checkout) -> tuple[Change, ...]:
    """Return what is not committed yet, new files included, as git will commit it."""
    git = checkout._git  # noqa: SLF001 - nobody else asks before the commit
    stage(git)
    return read_changes(git, "--cached", "HEAD")


def read(checkout: Checkout, name: str = "index.html") -> str:
    return (checkout.path / name).read_text(encoding="utf-8")


def files(checkout: Checkout) -> list[str]:
    return sorted(str(path.relative_to(checkout.path)) for path in checkout.path.rglob("*") if path.is_file())


def test_a_new_thread_begins_with_what_is_live(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        assert checkout.branch == "thread-t1"
        assert read(checkout) == PAGE
        assert checkout.tip == checkout.live_commit() == amelia.remote.commit("main")
        assert changed_files(checkout) == ()
        assert not checkout.differs_from_live()


def test_changed_files_are_told_by_git_with_new_ones_and_deleted_lines(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        write(checkout, "index.html", PAGE.replace("eight", "nine").replace("<p>We close at six.</p>\n", ""))
        write(checkout, "pictures/große Torte.bin", "a\0b")
        (checkout.path / "about.html").unlink()
        (checkout.path / "link").symlink_to("index.html")
        write(checkout, "run.sh", "echo\n")
        (checkout.path / "run.sh").chmod(0o755)
        assert changed_files(checkout) == (
            Change("about.html", ChangeKind.REMOVED, deleted_lines=1),
            Change("index.html", ChangeKind.CHANGED, added_lines=1, deleted_lines=2),
            Change("link", ChangeKind.ADDED, added_lines=1, is_link=True),
            Change("pictures/große Torte.bin", ChangeKind.ADDED, is_binary=True),
            Change("run.sh", ChangeKind.ADDED, added_lines=1, is_executable=True),
        )


def test_a_commit_names_its_author_and_ends_with_its_trailers(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        write(checkout, "index.html", "new")
        made = commit(checkout, "We open at nine.\n\n# not a comment\nJob: forged", {"Job": "j-1"})
        assert made == checkout.tip
        shown = git_log(checkout, "%an <%ae>%n%B")
        assert shown == "Scott <scott@example.org>\nWe open at nine.\n\n# not a comment\nJob: forged\n\nJob: j-1"
        assert git_log(checkout, "%(trailers:key=Job,valueonly)") == "j-1"


def test_a_commit_without_a_change_is_none(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        assert commit(checkout, "Nothing") is None
        assert checkout.tip == checkout.live_commit()


@pytest.mark.parametrize("name", ["", "<>", "\0\n\x1b", ". ,"])
def test_a_name_that_git_would_refuse_is_still_an_author(amelia: Amelia, name: str) -> None:
    with amelia.open() as checkout:
        write(checkout, "index.html", "new")
        assert checkout.commit("\0", author_name=name, author_email="a\nb") is not None
        assert git_log(checkout, "%an %ae %s") == "Editor ab Change"


def test_unfinished_work_is_continued_by_its_own_thread_and_unknown_to_others(amelia: Amelia) -> None:
    with amelia.open("t1") as checkout:
        write(checkout, "index.html", "half done")
        assert checkout.set_aside("Set aside for a newer mail") is not None
    with amelia.open("t2") as checkout:
        assert read(checkout) == PAGE
    with amelia.open("t1") as checkout:
        assert read(checkout) == "half done"
        assert changed_files(checkout) == ()
        assert [change.path for change in checkout.changes_for_live()] == ["index.html"]


def test_leftovers_that_nobody_committed_reach_no_branch(amelia: Amelia) -> None:
    with amelia.open("t1") as checkout:
        write(checkout, "index.html", "of a killed worker")
        write(checkout, "new.html", "untracked")
        write(checkout, ".gitignore", "cache/\n")
        write(checkout, "cache/x", "ignored")
        write(checkout, "nested/.git/HEAD", "ref: refs/heads/main\n")
    with amelia.open("t2") as checkout:
        assert files(checkout) == [".git", "about.html", "index.html"]
        assert changed_files(checkout) == ()


def test_what_a_build_leaves_behind_is_not_work_to_keep(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        write(checkout, "index.html", "done")
        commit(checkout, "Done")
        write(checkout, "dist/index.html", "built")
        assert checkout.set_aside("The build failed") is None
        assert files(checkout) == [".git", "about.html", "index.html"]


def test_a_thread_gets_what_became_live_in_the_meantime(amelia: Amelia) -> None:
    with amelia.open("t1") as checkout:
        write(checkout, "index.html", PAGE.replace("eight", "nine"))
        commit(checkout, "Nine")
    amelia.remote.push({"about.html": "<h1>About me</h1>\n"})
    with amelia.open("t1") as checkout:
        assert read(checkout) == PAGE.replace("eight", "nine")
        assert read(checkout, "about.html") == "<h1>About me</h1>\n"
        assert [change.path for change in checkout.changes_for_live()] == ["index.html"]
        assert not checkout.merge_live()
        amelia.remote.push({"about.html": "<h1>About all of us</h1>\n"})
        write(checkout, "dist/index.html", "left by a build")
        assert checkout.merge_live()
        assert read(checkout, "about.html") == "<h1>About all of us</h1>\n"
        assert "dist/index.html" not in files(checkout)


def test_a_conflict_is_a_plain_question_and_changes_nothing(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        write(checkout, "index.html", PAGE.replace("eight", "nine"))
        mine = commit(checkout, "Nine")
    amelia.remote.push({"index.html": PAGE.replace("eight", "ten")})
    with pytest.raises(MergeConflict, match=r"the same place in index\.html") as conflict:
        amelia.open()
    assert conflict.value.files == ("index.html",)
    assert isinstance(conflict.value, JobFailed)
    with amelia.open(merge=False) as checkout:
        assert checkout.tip == mine
        assert read(checkout) == PAGE.replace("eight", "nine")
        assert changed_files(checkout) == ()


def test_a_conflict_can_be_left_to_be_put_right(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        write(checkout, "index.html", PAGE.replace("eight", "nine"))
        commit(checkout, "Nine")
        live = amelia.remote.push({"index.html": PAGE.replace("eight", "ten")})
        with pytest.raises(MergeConflict):
            checkout.merge_live(leave_conflict=True)
        assert "<<<<<<<" in read(checkout)
        with pytest.raises(MergeConflict):
            commit(checkout, "Marks are still there")
        write(checkout, "index.html", PAGE.replace("eight", "half past nine"))
        assert commit(checkout, "Put right") is not None
        assert checkout.descends(checkout.tip, live)
        assert not checkout.merge_live()


def test_a_conflict_that_a_dead_owner_left_open_is_found_anew_by_the_next(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        write(checkout, "index.html", PAGE.replace("eight", "nine"))
        mine = commit(checkout, "Nine")
        amelia.remote.push({"index.html": PAGE.replace("eight", "ten")})
        with pytest.raises(MergeConflict):
            checkout.merge_live(leave_conflict=True)
    with amelia.open(merge=False) as checkout:
        assert (checkout.tip, changed_files(checkout)) == (mine, ())
        assert read(checkout) == PAGE.replace("eight", "nine")
        with pytest.raises(MergeConflict) as again:
            checkout.merge_seen_live(leave_conflict=True)
    assert again.value.is_marked
    ((ours, theirs),) = {(clash.ours, clash.theirs) for clash in again.value.clashes}
    assert ("nine" in ours, "ten" in theirs) == (True, True)


def test_a_page_that_one_side_has_removed_holds_no_two_versions(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        (checkout.path / "index.html").unlink()
        commit(checkout, "Gone")
        amelia.remote.push({"index.html": PAGE.replace("eight", "ten")})
        with pytest.raises(MergeConflict) as conflict:
            checkout.merge_live()
    assert not conflict.value.is_marked


def test_one_commit_can_be_taken_back_while_newer_ones_stay(amelia: Amelia) -> None:
    first = amelia.remote.push({"about.html": "<h1>Wrong</h1>\n"})
    amelia.remote.push({"index.html": "newer"})
    with amelia.open() as checkout:
        checkout.revert(first)
        assert [change.path for change in changed_files(checkout)] == ["about.html"]
        assert commit(checkout, "Undo") is not None
        assert read(checkout, "about.html") == "<h1>About us</h1>\n"
        assert read(checkout) == "newer"


def test_a_commit_that_something_newer_has_changed_again_cannot_be_taken_back(amelia: Amelia) -> None:
    first = amelia.remote.push({"about.html": "<h1>Wrong</h1>\n"})
    amelia.remote.push({"about.html": "<h1>Newer</h1>\n"})
    with amelia.open() as checkout:
        with pytest.raises(MergeConflict):
            checkout.revert(first)
        assert changed_files(checkout) == ()


def test_work_on_top_of_a_commit_is_left_aside_and_joined_again(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        write(checkout, "shown.html", "shown")
        shown = commit(checkout, "Shown") or ""
        assert not checkout.has_newer_work(shown)
        amelia.remote.push({"other.html": "live has moved"})
        checkout.merge_live()
        assert not checkout.has_newer_work(shown)
        write(checkout, "begun.html", "begun")
        newer = commit(checkout, "Begun") or ""
        assert checkout.has_newer_work(shown)
        checkout.leave_aside("job-1", shown)
        assert "begun.html" not in files(checkout)
        write(checkout, "more.html", "more")
        commit(checkout, "Published")
        checkout.rejoin(newer)
        assert {"shown.html", "begun.html", "more.html"} <= set(files(checkout))


def test_work_that_is_left_aside_here_says_so_if_the_remote_has_it_and_is_left_there_too(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        began = checkout.tip
        write(checkout, "begun.html", "begun")
        commit(checkout, "Begun")
        checkout.push_thread(lane="amelia#scott", fence=1, job="job-1")
        assert checkout.leave_aside("job-1", began)
        # Nothing is left of it now.
        assert not checkout.leave_aside("job-1", began)
        checkout.push_thread(lane="amelia#scott", fence=1, job="job-1")
    with amelia.open() as checkout:
        assert checkout.tip == began
        write(checkout, "here.html", "nobody else has it")
        commit(checkout, "Here")
        assert not checkout.leave_aside("job-2", began)


def test_work_that_no_longer_fits_stays_where_it_was_left(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        shown = checkout.tip
        write(checkout, "index.html", "begun")
        newer = commit(checkout, "Begun") or ""
        checkout.leave_aside("job-1", shown)
        write(checkout, "index.html", "published")
        commit(checkout, "Published")
        checkout.rejoin(newer)
        assert read(checkout) == "published"
        assert changed_files(checkout) == ()


def test_a_repository_inside_the_site_is_refused_but_does_not_keep_work_from_being_set_aside(
    amelia: Amelia,
) -> None:
    with amelia.open() as checkout:
        write(checkout, "index.html", "half done")
        write(checkout, "theme/.git/HEAD", "ref: refs/heads/main\n")
        write(checkout, "theme/.git/objects/x", "")
        write(checkout, "theme/.git/refs/x", "")
        with pytest.raises(JobFailed, match="another git repository into the site, in theme/"):
            changed_files(checkout)
        with pytest.raises(JobFailed):
            commit(checkout, "No")
        assert checkout.set_aside("Interrupted") is not None
        assert [change.path for change in checkout.changes_for_live()] == ["index.html"]


def test_a_repository_that_the_site_names_is_neither_fetched_nor_followed(amelia: Amelia, tmp_path: Path) -> None:
    inner = Remote(tmp_path / "inner")
    far = tmp_path / "far" / "somebody"
    modules = f'[submodule "inner"]\n\tpath = inner\n\turl = {inner.url}\n'
    (far / ".gitmodules").write_text(modules, encoding="utf-8")
    Remote.run(far, "update-index", "--add", "--cacheinfo", f"160000,{inner.commit('main')},inner")
    Remote.run(far, "add", ".gitmodules")
    Remote.run(far, "commit", "--quiet", "-m", "With another repository inside")
    Remote.run(far, "push", "--quiet", amelia.remote.url, "HEAD:refs/heads/main")
    with amelia.open() as checkout:
        assert list((checkout.path / "inner").iterdir()) == []
        write(checkout, "index.html", "changed")
        assert [change.path for change in changed_files(checkout)] == ["index.html"]
        assert commit(checkout, "Changed") is not None


def test_two_lanes_of_a_project_work_side_by_side(amelia: Amelia) -> None:
    with amelia.open("t1", "scott") as one, amelia.open("t2", "amelia") as other:
        assert one.path != other.path
        write(one, "index.html", "one")
        write(other, "index.html", "other")
        assert commit(one, "One") != commit(other, "Other")


def test_a_second_owner_does_not_enter_while_the_first_is_inside(amelia: Amelia) -> None:
    with amelia.open(), pytest.raises(TryAgain, match="Somebody still works in"):
        amelia.open("t2")
    amelia.open("t2").close()


def test_an_orphaned_agent_is_ended_before_the_next_owner_enters(amelia: Amelia) -> None:
    first = amelia.open()
    agent = Child(["sleep", "1000"], cwd=first.path, env=WHO, keep_open=(first.lock,))
    first.record_agent(agent)
    first.close()  # as if the worker had died: only the agent still holds the lock
    with amelia.workspace.open_checkout("amelia", Access(amelia.remote.url), "main", "scott", "t2") as second:
        assert not is_alive(agent.identity)
        assert read(second) == PAGE
    agent.stop(AT_ONCE)


def test_an_agent_that_was_never_recorded_keeps_others_out(amelia: Amelia) -> None:
    first = amelia.open()
    with Child(["sleep", "1000"], cwd=first.path, env=WHO, keep_open=(first.lock,)):
        first.close()
        with pytest.raises(TryAgain):
            amelia.open()
    amelia.open().close()


def test_a_broken_working_tree_is_made_anew_with_the_threads_work(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        write(checkout, "index.html", "kept")
        commit(checkout, "Kept")
        path = checkout.path
    (path / ".git").write_text("gitdir: /somewhere/else\n", encoding="utf-8")
    with amelia.open() as checkout:
        assert read(checkout) == "kept"
    index = amelia.root / "projects" / "amelia" / "mirror.git" / "worktrees" / "scott" / "index"
    index.write_bytes(b"torn")
    with amelia.open() as checkout:
        assert read(checkout) == "kept"


def test_a_folder_that_an_agent_has_closed_does_not_stop_the_next_owner(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        write(checkout, "closed/inner/page.html", "x")
        (checkout.path / "closed" / "inner").chmod(0)
        (checkout.path / "closed").chmod(0)
    with amelia.open("t2") as checkout:
        assert files(checkout) == [".git", "about.html", "index.html"]


def test_locks_that_a_killed_git_left_do_not_stop_the_next_owner(amelia: Amelia) -> None:
    amelia.open().close()
    mirror = amelia.root / "projects" / "amelia" / "mirror.git"
    (mirror / "worktrees" / "scott" / "index.lock").touch()
    (mirror / "worktrees" / "scott" / "HEAD.lock").touch()
    (mirror / "refs" / "heads" / "thread-t1.lock").touch()
    with amelia.open() as checkout:
        write(checkout, "index.html", "new")
        assert commit(checkout, "New") is not None


def test_a_broken_mirror_is_made_anew_and_keeps_work_that_was_never_pushed(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        write(checkout, "index.html", "kept")
        kept = commit(checkout, "Kept")
    mirror = amelia.root / "projects" / "amelia" / "mirror.git"
    (mirror / "refs" / "remotes" / "origin" / "main").write_text("0" * 39 + "1\n", encoding="ascii")
    (mirror / "packed-refs").unlink(missing_ok=True)
    with amelia.open() as checkout:
        assert checkout.tip == kept
        assert read(checkout) == "kept"


def test_a_mirror_of_which_nothing_is_left_is_made_anew(amelia: Amelia) -> None:
    amelia.open().close()
    mirror = amelia.root / "projects" / "amelia" / "mirror.git"
    (mirror / "HEAD").unlink()
    (mirror / "config").write_text("[core\n", encoding="ascii")
    with amelia.open() as checkout:
        assert read(checkout) == PAGE


def test_another_machine_goes_on_with_what_was_kept_at_the_remote(amelia: Amelia, tmp_path: Path) -> None:
    with amelia.open() as checkout:
        write(checkout, "index.html", "half done")
        checkout.set_aside("Set aside")
        assert checkout.push_thread(lane="amelia#scott", fence=1, job="j-1")
    amelia.root = tmp_path / "another-machine"
    amelia.workspace = Workspace(amelia.root)
    with amelia.open() as checkout:
        assert read(checkout) == "half done"


def test_the_remote_wins_over_work_that_its_later_owner_did_not_have(amelia: Amelia, tmp_path: Path) -> None:
    with amelia.open() as checkout:
        write(checkout, "index.html", "never pushed")
        lost = checkout.set_aside("Never pushed")
    here, amelia.workspace = amelia.workspace, Workspace(tmp_path / "another-machine")
    with amelia.open() as checkout:
        write(checkout, "index.html", "pushed")
        commit(checkout, "Pushed")
        assert checkout.push_thread(lane="amelia#scott", fence=2, job="j-2")
    amelia.workspace = here
    with amelia.open() as checkout:
        assert read(checkout) == "pushed"
        assert str(lost) in git_refs(checkout)


@pytest.mark.parametrize("name", ["../t1", "T1", "t1/..", "-t1", "t 1", "", "t1.lock", "t1\n", "x" * 64])
def test_names_that_mean_something_to_a_path_or_to_git_are_refused(amelia: Amelia, name: str) -> None:
    with pytest.raises(Misconfigured, match="A thread may have only"):
        amelia.open(name)
    with pytest.raises(Misconfigured, match="A lane's user may have only"):
        amelia.open("t1", name)


def git_log(checkout: Checkout, form: str) -> str:
    return _git(checkout, "log", "-1", f"--format={form}").strip()


def git_refs(checkout: Checkout) -> str:
    return _git(checkout, "for-each-ref")


def _git(checkout: Checkout, *arguments: str) -> str:
    return Remote.run(checkout.path, *arguments)


def test_files_that_only_look_touched_are_recognised_and_not_written_anew(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        page = checkout.path / "index.html"
        # As after they were given to a program's own uid: all that git remembers of them is another one.
        os.utime(page, ns=(1, 1))
    with page.open() as was, amelia.open("t2") as checkout:
        assert os.fstat(was.fileno()).st_nlink == 1
        assert not checkout.differs_from_live()


def test_a_change_is_seen_also_when_size_and_time_of_the_file_are_put_back(amelia: Amelia) -> None:
    with amelia.open():
        pass
    with amelia.open() as checkout:
        page = checkout.path / "index.html"
        was = page.stat()
        page.write_text(PAGE.replace("eight", "seven"), encoding="utf-8")
        os.utime(page, ns=(was.st_atime_ns, was.st_mtime_ns))
        assert page.stat().st_size == was.st_size
        assert commit(checkout, "An hour earlier") is not None
    with amelia.open("t3") as checkout:
        page.write_text(PAGE.replace("eight", "seven"), encoding="utf-8")
        os.utime(page, ns=(was.st_atime_ns, was.st_mtime_ns))
    with amelia.open("t3") as checkout:
        assert read(checkout) == PAGE


def test_two_changes_within_a_second_are_seen_also_when_the_time_of_the_file_is_put_back(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        page = checkout.path / "index.html"
        # Git compares whole seconds: both edits have to lie in one.
        while time.time() % 1 > 0.2:
            pass
        for hour in ("seven", "three"):
            page.write_text(PAGE.replace("eight", hour), encoding="utf-8")
            os.utime(page, ns=(1, 1))
            assert commit(checkout, hour) is not None
        page.write_text(PAGE, encoding="utf-8")
        os.utime(page, ns=(1, 1))
        checkout.discard_changes()
        assert "three" in page.read_text(encoding="utf-8")


def test_what_a_build_has_left_is_removed_and_the_work_stays(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        write(checkout, "index.html", "changed")
        commit(checkout, "A change")
        write(checkout, "public/index.html", "built")
        checkout.remove_build()
        assert read(checkout) == "changed"
        assert not (checkout.path / "public").exists()


def test_files_are_laid_over_the_last_commit_and_nothing_else_is_left(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        write(checkout, "left.html", "of a build")
        checkout.lay({"new/page.html": b"new", "index.html": None})
        assert [(change.path, change.kind.value) for change in changed_files(checkout)] == [
            ("index.html", "removed"),
            ("new/page.html", "added"),
        ]


def test_a_file_is_laid_where_a_folder_of_files_was_that_go(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        write(checkout, "menu/of/today.html", "today")
        commit(checkout, "A folder")
        checkout.lay({"menu": b"all of it", "menu/of/today.html": None})
        assert (checkout.path / "menu").read_bytes() == b"all of it"
        commit(checkout, "A file")
        checkout.lay({"menu": None, "menu/today.html": b"today"})
        assert (checkout.path / "menu" / "today.html").read_bytes() == b"today"


def test_files_are_laid_nowhere_but_into_the_folder(amelia: Amelia, tmp_path: Path) -> None:
    with amelia.open() as checkout:
        (checkout.path / "out").symlink_to(tmp_path)
        commit(checkout, "A link")
        with pytest.raises(GitFailed, match="leads out of"):
            checkout.lay({"out/page.html": b"new"})
    assert not (tmp_path / "page.html").exists()


def test_a_thread_had_work_at_a_commit_if_that_is_not_what_it_left_live_with(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        began = checkout.tip
        write(checkout, "index.html", PAGE.replace("eight", "nine"))
        mine = commit(checkout, "Nine")
        amelia.remote.push({"other.html": PAGE})
        checkout.merge_live()
        assert not checkout.held_work(began)
        assert checkout.held_work(mine or "")
