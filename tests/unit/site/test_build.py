from __future__ import annotations

import os
import sys
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from webordinary.errors import BuildFailed, Interrupted
from webordinary.site.release.build import MOST_MEMORY, BuildBroke, build_site
from webordinary.workspace.leaving import remove_tree
from webordinary.workspace.sandbox import Sandbox, SandboxKind

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.child import Child

LONG = timedelta(minutes=1)


def unprotected() -> Sandbox:
    """Run the build as it is; what the real sandbox holds back is tested with the sandbox."""
    return Sandbox(SandboxKind.NONE)


class Builder:
    """One checkout, and what is built from it."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "checkout"
        self.into = folder / "scratch" / "site"
        self.checkout.mkdir()
        self.children: list[Child] = []
        self.keep_open: tuple[int, ...] = ()

    def write(self, *names: str) -> None:
        for name in names:
            path = self.checkout / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name)

    def build(
        self, *command: str, output: str = ".", deadline: timedelta = LONG, memory: int = MOST_MEMORY
    ) -> list[str]:
        built = build_site(
            self.checkout,
            command,
            output,
            deadline=deadline,
            sandbox=unprotected,
            into=self.into,
            watch=self.children.append,
            keep_open=self.keep_open,
            memory=memory,
        )
        assert built == self.into
        return sorted(str(path.relative_to(built)) for path in built.rglob("*") if path.is_file())

    def python(self, code: str, *, output: str = "dist", deadline: timedelta = LONG) -> list[str]:
        return self.build(sys.executable, "-I", "-S", "-c", code, output=output, deadline=deadline)


@pytest.fixture
def builder(tmp_path: Path) -> Builder:
    return Builder(tmp_path)


WRITE = "import pathlib; p = pathlib.Path('dist'); p.mkdir(); (p / 'index.html').write_text('built')"


def test_the_build_holds_what_it_is_given_so_that_nobody_enters_while_it_runs(builder: Builder) -> None:
    reading, writing = os.pipe()
    try:
        builder.keep_open = (writing,)
        builder.python(f"import os; os.write({writing}, b'held'); {WRITE}")
        assert os.read(reading, 4) == b"held"
    finally:
        os.close(reading)
        os.close(writing)


def test_without_a_command_the_checkout_is_the_site(builder: Builder) -> None:
    builder.write("index.html", "css/site.css")
    assert builder.build() == ["css/site.css", "index.html"]
    assert builder.children == []


def test_what_is_not_for_visitors_is_left_out(builder: Builder) -> None:
    builder.write("index.html", ".git/config", ".env", "a/.htpasswd", "WEBORDINARY.md", "CLAUDE.md")
    builder.write("node_modules/x/index.js", ".well-known/security.txt")
    assert builder.build() == [".well-known/security.txt", "index.html"]


def test_without_a_command_a_part_of_the_checkout_can_be_the_site(builder: Builder) -> None:
    builder.write("public/index.html", "notes.txt")
    assert builder.build(output="public") == ["index.html"]


def test_the_output_of_the_command_is_the_site(builder: Builder) -> None:
    builder.write("source.txt")
    assert builder.python(WRITE) == ["index.html"]
    assert (builder.into / "index.html").read_text() == "built"


def test_the_build_can_be_watched_from_its_start(builder: Builder) -> None:
    builder.python(WRITE)
    assert len(builder.children) == 1


def test_nothing_that_was_built_can_be_changed_from_the_checkout(builder: Builder) -> None:
    builder.python(WRITE)
    (builder.checkout / "dist" / "index.html").write_text("changed")
    assert (builder.into / "index.html").read_text() == "built"


def test_the_build_sees_nothing_of_our_environment(builder: Builder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "opens everything")
    assert builder.python(f"{WRITE}; import os; assert 'SECRET_KEY' not in os.environ") == ["index.html"]


def test_the_build_has_a_home_that_is_gone_afterwards(builder: Builder) -> None:
    code = f"{WRITE}; import os; open(os.environ['HOME'] + '/cache', 'w'); (p / 'home').write_text(os.environ['HOME'])"
    builder.python(code)
    assert not os.path.lexists((builder.into / "home").read_text())


def test_a_build_that_fails_tells_the_operator_more_than_the_owner(builder: Builder) -> None:
    with pytest.raises(BuildBroke) as broke:
        builder.python("import sys; print('line 3 of page.md'); sys.exit('token abc')")
    assert "line 3 of page.md\n\ntoken abc" in broke.value.details
    assert str(broke.value) == "the site's build ended with an error (code 1)"
    assert not builder.into.exists()


def test_only_the_last_lines_of_a_long_output_are_kept(builder: Builder) -> None:
    with pytest.raises(BuildBroke) as broke:
        builder.python("import sys; [print('line', n) for n in range(1000)]; sys.exit(1)")
    assert len(broke.value.details.splitlines()) <= 40
    assert "line 999" in broke.value.details


def test_a_program_that_does_not_exist_is_named(builder: Builder) -> None:
    with pytest.raises(BuildFailed, match=r"'hugo-x --minify' needs a program that does not exist on this machine"):
        builder.build("hugo-x", "--minify", output="dist")


@pytest.mark.parametrize(
    ("code", "said"), [(127, "sh: 1: gulp: not found"), (1, "bwrap: execvp sh: No such file or directory")]
)
def test_a_program_that_is_missing_inside_is_told_apart(builder: Builder, code: int, said: str) -> None:
    with pytest.raises(BuildFailed, match="does not exist on this machine"):
        builder.build("sh", "-c", f"echo '{said}' >&2; exit {code}", output="dist")


def test_a_build_that_never_ends_is_ended(builder: Builder) -> None:
    with pytest.raises(BuildFailed, match=r"did not come to an end in 0\.1 s"):
        builder.build("cat", "/dev/zero", output="dist", deadline=timedelta(milliseconds=60))


def test_a_build_that_eats_too_much_memory_is_ended(builder: Builder) -> None:
    eat = "import signal; eaten = bytearray(b'x') * 200_000_000; signal.pause()"
    with pytest.raises(BuildBroke, match="it needed more than 95 MB of memory"):
        builder.build(sys.executable, "-I", "-S", "-c", eat, memory=100_000_000)


def test_a_build_that_was_stopped_is_interrupted_and_not_failed(builder: Builder) -> None:
    with pytest.raises(Interrupted):
        build_site(
            builder.checkout,
            ("tail", "-f", "/dev/null"),
            "dist",
            deadline=LONG,
            sandbox=unprotected,
            into=builder.into,
            watch=lambda child: child.stop(timedelta(0)),
        )


def test_a_build_without_output_fails_with_the_name_of_the_folder(builder: Builder) -> None:
    with pytest.raises(BuildFailed, match="made no folder 'dist'"):
        builder.python("print('done')")


def test_an_empty_build_fails(builder: Builder) -> None:
    with pytest.raises(BuildFailed, match="empty"):
        builder.python("import os; os.makedirs('dist/images')")


@pytest.mark.parametrize("output", ["..", "/etc", "a/../../b", ".git", ".git/hooks"])
def test_an_output_outside_of_the_project_is_refused(builder: Builder, output: str) -> None:
    builder.write("index.html", ".git/hooks/x")
    with pytest.raises(BuildFailed, match="outside of the project"):
        builder.build(output=output)


def test_an_output_that_is_a_link_to_somewhere_else_is_refused(builder: Builder) -> None:
    (builder.checkout.parent / "secrets").mkdir()
    with pytest.raises(BuildFailed, match="outside of the project"):
        builder.python("import os; os.symlink('../secrets', 'dist')")


def test_a_link_in_the_output_that_leads_out_of_it_is_refused(builder: Builder) -> None:
    builder.write("secret.txt")
    with pytest.raises(BuildFailed, match="leads out of the site"):
        builder.python(f"{WRITE}; (p / 'x.txt').symlink_to('../secret.txt')")


def test_folders_without_end_are_refused_in_words(builder: Builder) -> None:
    dig = "import os; os.mkdir('dist'); os.chdir('dist')\nfor _ in range(1500):\n    os.mkdir('d')\n    os.chdir('d')"
    try:
        with pytest.raises(BuildFailed, match="more than 100 folders in each other"):
            builder.python(dig)
    finally:
        # Whoever cleans up behind the tests could not do it either, and would break a later run.
        remove_tree(builder.checkout)


def test_a_link_to_what_is_left_out_leads_nowhere(builder: Builder) -> None:
    builder.write("index.html", ".env")
    (builder.checkout / "env.txt").symlink_to(".env")
    assert builder.build() == ["index.html"]
