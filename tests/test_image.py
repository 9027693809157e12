"""The container image, as far as it can be shown without a container engine: its recipe, its parts and its maker."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.programs import need
from tests.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCKERFILE = ROOT / "Dockerfile"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
# Writes down how it was called; `info` is how an engine is asked whether it works.
_FAKE = """#!/bin/sh
echo "$(basename "$0") $*" >> '{notes}'
[ "$1" != build ] || [ "$BUILDX_NO_DEFAULT_ATTESTATIONS" = 1 ] || exit 1
case "$1" in info | version) exit {works} ;; push) exit {pushes} ;; esac
"""


def instructions() -> list[tuple[str, str]]:
    """The recipe, one instruction each: continued lines are joined, comments are left out."""
    lines = [line for line in DOCKERFILE.read_text().splitlines() if line.strip() and not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(line.partition(" ")[0], line.partition(" ")[2].strip()) for line in joined.splitlines()]


def steps(kind: str) -> list[str]:
    return [words for name, words in instructions() if name == kind]


def copied() -> list[str]:
    """What is taken from this repository, and not from another stage."""
    own = [words.split()[:-1] for words in steps("COPY") if not words.startswith("--from")]
    return [source for sources in own for source in sources]


class Bin:
    """A folder of programs that only write down how they are called, in front of the real ones."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "bin"
        self.folder.mkdir()
        self._notes = folder / "notes"
        # Nothing of this machine that could be an engine: only what a shell script needs.
        for name in ("sh", "sed", "dirname", "basename", "cat", "xargs", "rm", "mkdir"):
            (self.folder / name).symlink_to(str(shutil.which(name)))

    def add(self, *names: str, works: bool = True, pushes: bool = True) -> None:
        for name in names:
            program = self.folder / name
            program.write_text(_FAKE.format(notes=self._notes, works=int(not works), pushes=int(not pushes)))
            program.chmod(0o755)

    def run(self, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        env = {"PATH": str(self.folder), **variables}
        return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)

    @property
    def calls(self) -> list[str]:
        return self._notes.read_text().splitlines() if self._notes.exists() else []


@pytest.fixture
def programs(tmp_path: Path) -> Bin:
    return Bin(tmp_path)


def make_image(programs: Bin, **variables: str) -> subprocess.CompletedProcess[str]:
    return programs.run(str(ROOT / "packages" / "image"), **variables)


def test_the_recipe_has_no_faults_that_a_linter_knows() -> None:
    linter = Path(sys.executable).with_name("hadolint")
    found = subprocess.run([linter, "--format", "json", DOCKERFILE], capture_output=True, text=True, check=False)

    assert json.loads(found.stdout) == []
    assert found.returncode == 0


def test_everything_that_is_copied_is_there_and_let_in() -> None:
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}

    assert [source for source in copied() if not (ROOT / source).exists()] == []
    assert [source for source in copied() if source.partition("/")[0] not in let_in] == []
    assert [name for name in let_in if name not in {source.partition("/")[0] for source in copied()}] == []


def test_it_runs_as_nobody_special_and_says_whether_it_is_well() -> None:
    (user,) = steps("USER")
    (health,) = steps("HEALTHCHECK")

    assert user == "1000:1000"
    assert json.loads(health.partition("CMD ")[2]) == ["webordinary", "work", "--healthy"]
    assert (steps("ENTRYPOINT"), json.loads(steps("CMD")[0])) == ([], ["webordinary", "work"])
    assert instructions()[-1][0] == "CMD", "nothing comes after the user"


def test_no_stage_names_a_registry_or_has_no_version() -> None:
    arguments = dict(words.split("=") for words in steps("ARG"))
    images = [words.split()[0] for words in steps("FROM")]

    assert {image.partition(":")[0] for image in images} == {"node", "python"}
    pinned = [arguments[image.partition("${")[2][:-1]] for image in images]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+-[a-z-]+", version) for version in pinned)


def test_nothing_in_it_lends_its_owners_rights(tmp_path: Path) -> None:
    """The step of the recipe itself is run, in another place; it comes after everything that brings programs."""
    names = ["su", "chage", "plain"]
    for name, mode in zip(names, (0o4755, 0o2755, 0o755), strict=True):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(mode)
    (step,) = [words for words in steps("RUN") if "-perm" in words]
    subprocess.run(["sh", "-c", step.replace("find /", f"find {tmp_path}")], check=True)

    assert [(tmp_path / name).stat().st_mode & 0o7777 for name in names] == [0o755] * 3
    brings = [number for number, (name, words) in enumerate(instructions()) if name == "COPY" or "apt-get" in words]
    assert instructions().index(("RUN", step)) > max(brings)


def test_bubblewrap_needs_no_right_of_its_owner() -> None:
    """As in the image and in the task: the program is not setuid, and no process may ever gain a right."""
    need("bwrap")
    own = Path(str(shutil.which("bwrap")))
    assert own.stat().st_mode & 0o6000 == 0
    inside = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    done = subprocess.run(
        ["setpriv", "--no-new-privs", *inside, "grep", "NoNewPrivs", "/proc/self/status"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.split(), done.stderr) == (["NoNewPrivs:", "1"], "")


@pytest.mark.parametrize(("chromium", "without"), [("yes", set()), ("no", {"chromium"})])
def test_the_packages_of_debian_are_those_of_the_list(
    programs: Bin, tmp_path: Path, chromium: str, without: set[str]
) -> None:
    """The step of the recipe itself is run, in another place and with an apt-get that only writes down."""
    programs.add("apt-get")
    shutil.copytree(ROOT / "packages", tmp_path / "packages")
    (step,) = [words for words in steps("RUN") if "apt-get" in words]
    step = step.replace("/tmp/packages", str(tmp_path / "packages")).replace("/var/lib/apt", str(tmp_path / "apt"))  # noqa: S108 - the image's

    done = programs.run("sh", "-c", step, CHROMIUM=chromium)

    wanted = {line for line in (ROOT / "packages" / "debian.txt").read_text().split("\n") if line and line[0] != "#"}
    assert done.returncode == 0, done.stderr
    assert programs.calls[0] == "apt-get update"
    words = programs.calls[1].removeprefix("apt-get install --yes --no-install-recommends ").split()
    assert set(words) == wanted - without
    assert {"git", "bubblewrap"} <= set(words)


def test_continuous_integration_reads_the_same_list() -> None:
    assert "packages/wanted debian testing" in (ROOT / ".ci" / "run").read_text()


@pytest.mark.parametrize(
    ("agent", "lock"), [("none", "image"), ("opencode", "image"), ("claude", "image-claude"), ("gpt", None)]
)
def test_each_agent_has_its_lock_and_an_unknown_one_is_refused(programs: Bin, agent: str, lock: str | None) -> None:
    programs.add("python", "pip")
    (step,) = [words for words in steps("RUN") if "--require-hashes" in words]

    done = programs.run("sh", "-c", step.replace("/opt/webordinary/bin/", ""), AGENT=agent)

    if lock is None:
        assert (done.returncode, programs.calls) == (1, [])
        assert "AGENT must be none, claude or opencode, not gpt" in done.stderr
    else:
        assert programs.calls[-1] == f"pip install --require-hashes --requirement requirements/{lock}.txt"
        assert (ROOT / "requirements" / f"{lock}.txt").exists()


def test_the_agent_that_npm_brings_is_locked_under_the_name_that_is_linked() -> None:
    (step,) = [words for words in steps("RUN") if "opencode" in words and "npm ci" in words]
    linked = re.search(r"\.\./(node_modules/[^/]+)/bin/opencode bin/opencode", step)
    locked: dict[str, Any] = json.loads((ROOT / "requirements" / "node" / "package-lock.json").read_text())["packages"]

    assert linked is not None
    assert locked[linked[1]]["integrity"].startswith("sha512-")
    assert not locked[linked[1]].get("dev"), "npm ci --omit=dev would leave it out"


@pytest.fixture(scope="module")
def installed() -> Iterator[Path]:
    """The package as the recipe builds it, from what is let in alone, in an environment of its own."""
    folder = Path(tempfile.mkdtemp(prefix="webordinary-image-"))
    folder.chmod(0o755)
    try:
        yield install_into(folder)
    finally:
        shutil.rmtree(folder)


def install_into(folder: Path) -> Path:
    for name in copied():
        source, target = ROOT / name, folder / "context" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(
                source, target, ignore=shutil.ignore_patterns("__pycache__", "node_modules"), dirs_exist_ok=True
            )
        else:
            shutil.copy2(source, target)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    (step,) = [words for words in steps("RUN") if words.endswith("--no-index .")]
    # As a wheel first, because what builds it is in the environment of the tests and not in the new one.
    build = ["wheel", "--quiet", "--wheel-dir", str(folder), *step.split()[2:]]
    pip(*build, cwd=folder / "context")
    (wheel,) = folder.glob("*.whl")
    new = str(folder / "venv" / "bin" / "python")
    pip("--python", new, "install", "--quiet", "--no-deps", "--no-index", str(wheel), cwd=folder)
    return folder


def pip(*words: str, cwd: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "pip", *words], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.thorough
def test_the_package_is_whole_and_works_for_somebody_who_is_not_root(installed: Path) -> None:
    site = next((installed / "venv").rglob("site-packages"))
    assert not list(site.rglob("*moto*"))
    functions = "webordinary.engines.aws.flow.functions"
    seen = f"import os, {functions} as f; print(f.__file__, os.geteuid(), len(f.site_delivery('example.org')))"
    env = {"PATH": os.defpath, "HOME": "/nonexistent", "PYTHONPATH": packages_of_the_tests()}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        program = str(installed / "venv" / "bin" / words[0])
        command = [*unprivileged(), program, *words[1:]]
        return subprocess.run(command, cwd="/", env=env, capture_output=True, text=True, check=False)

    told, helped = run("python", "-c", seen), run("webordinary", "--help")
    assert told.stdout.startswith(str(site)), told.stderr
    assert " 1000 " in told.stdout
    assert helped.returncode == 0, helped.stderr
    assert "work" in helped.stdout


def unprivileged() -> list[str]:
    """As the image's user: uid 1000 without any right, on a disk that cannot be written to."""
    need("bwrap")
    return ["bwrap", "--ro-bind", "/", "/", "--unshare-user", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL"]


def packages_of_the_tests() -> str:
    """Where this environment has its packages; the package under test is found before them, in its own."""
    return os.pathsep.join(place for place in sys.path if place.endswith("site-packages"))


@pytest.mark.parametrize(
    ("there", "chosen", "form"),
    [
        (("docker", "podman", "buildah"), "docker", ""),
        (("podman", "buildah"), "podman", "--format docker "),
        (("buildah",), "buildah", "--format docker "),
    ],
)
def test_the_first_engine_that_is_there_builds_both_tags(
    programs: Bin, there: tuple[str, ...], chosen: str, form: str
) -> None:
    programs.add(*there)

    done = make_image(programs)

    assert done.returncode == 0, done.stderr
    tags = f"--tag webordinary:{VERSION} --tag webordinary:latest ."
    assert programs.calls[1:] == [f"{chosen} build --build-arg AGENT=none --build-arg CHROMIUM=yes {form}{tags}"]
    assert "not pushed" in done.stdout


def test_an_engine_that_does_not_answer_is_passed_over_or_named(programs: Bin) -> None:
    programs.add("docker", works=False)
    alone = make_image(programs)
    programs.add("podman")
    with_another = make_image(programs)

    assert alone.returncode == 1
    assert "There is docker here, but it does not answer" in alone.stderr
    assert with_another.returncode == 0
    assert programs.calls[-1].startswith("podman build")


def test_without_an_engine_one_sentence_says_what_to_install(programs: Bin) -> None:
    done = make_image(programs)

    assert done.returncode == 1
    assert done.stderr == "There is no docker, podman or buildah here: install one and run the same command again.\n"


def test_what_is_pushed_are_the_version_and_latest(programs: Bin) -> None:
    programs.add("podman")
    name = "123456789012.dkr.ecr.eu-central-1.amazonaws.com/webordinary"

    done = make_image(programs, PUSH=name, AGENT="claude", CHROMIUM="no", PLATFORM="linux/amd64")

    assert done.returncode == 0, done.stderr
    built, *pushed = programs.calls[1:]
    assert "AGENT=claude --build-arg CHROMIUM=no --platform linux/amd64" in built
    assert f"--tag {name}:{VERSION} --tag {name}:latest" in built
    assert pushed == [f"podman push {name}:{VERSION}", f"podman push {name}:latest"]


def test_a_push_that_fails_says_to_log_in(programs: Bin) -> None:
    programs.add("docker", pushes=False)

    done = make_image(programs, PUSH="registry.example.com/webordinary")

    assert done.returncode == 1
    assert "log in to the registry" in done.stderr


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"AGENT": "gpt"}, "AGENT must be none, claude or opencode"),
        ({"CHROMIUM": "maybe"}, "CHROMIUM must be yes or no"),
        ({"ENGINE": "rkt"}, "ENGINE must be docker, podman or buildah"),
        ({"ENGINE": "podman"}, "There is no podman here"),
        ({"PUSH": "registry.example.com/webordinary:1"}, "without a tag"),
        ({"PUSH": "registry.example.com/a; rm -rf x"}, "registry/name in lower case"),
    ],
)
def test_a_choice_that_cannot_be_is_refused_before_anything_is_built(
    programs: Bin, choice: dict[str, str], said: str
) -> None:
    programs.add("docker")

    done = make_image(programs, **choice)

    assert done.returncode == 1
    assert said in done.stderr
    assert programs.calls == []


def test_make_image_hands_every_choice_over(tmp_path: Path) -> None:
    """What make would run is asked of make itself."""
    told = subprocess.run(
        ["make", "--dry-run", "image", "AGENT=claude", "CHROMIUM=no", "PUSH=registry.example.com/webordinary"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "HOME": str(tmp_path)},
    )

    assert "AGENT='claude' CHROMIUM='no'" in told.stdout
    assert "PUSH='registry.example.com/webordinary' packages/image" in told.stdout
