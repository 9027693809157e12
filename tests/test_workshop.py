"""The workshop keeps its own promises: locks without hosts, ignores with reasons, nothing of one machine."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from tests import again
from tests.programs import PACKAGES, need_root
from tests.tree import ROOT, our_files, place, python_files
from webordinary_local_aws.server import MOTO

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REQUIREMENTS = ROOT / "requirements"
LOCKS = sorted(REQUIREMENTS.glob("*.txt"))

# Written so that no pattern matches its own line here.
OF_ONE_MACHINE = re.compile(r"(?<![\w.}\])>*-])/(?:work|farm|opt/pypi)\b/?")
REGISTRY = re.compile(
    r"\b(?:pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|yarnpkg\.com|crates\.io|rubygems\.org"
    r"|(?:docker|ghcr|quay|gcr)\.io|deb\.debian\.org|archive\.ubuntu\.com)\b",
)
PINNED = re.compile(r"^(?P<name>[a-z0-9._-]+)==(?P<version>\S+)", re.MULTILINE)


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    assert places_with(OF_ONE_MACHINE) == []


def test_no_file_names_a_package_registry() -> None:
    assert places_with(REGISTRY) == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_a_lock_holds_only_pins_hashes_and_comments(lock: Path) -> None:
    allowed = re.compile(r"#.*|[a-z0-9._-]+==\S+( ; [^\\]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?")

    assert [line for line in lock.read_text().splitlines() if not allowed.fullmatch(line)] == []


def test_the_test_set_holds_the_whole_run_time_set_at_the_same_versions() -> None:
    assert pins("run").items() <= pins("dev").items()


def test_what_the_image_holds_is_what_was_tested() -> None:
    assert pins("run").items() <= pins("image").items() <= pins("image-claude").items() <= pins("dev").items()


def test_every_dependency_that_is_asked_for_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = {name_of(line) for lines in project["optional-dependencies"].values() for line in lines}

    assert {name_of(line) for line in project["dependencies"]} | asked_for("build") <= pins("run").keys()
    assert extras | asked_for("image") | {"awscrt"} <= pins("image-claude").keys()
    assert asked_for("dev") <= pins("dev").keys()
    assert asked_for("contributor") <= pins("contributor").keys()
    assert asked_for("install") <= pins("install").keys()


def test_the_local_server_asks_for_the_moto_that_is_locked_and_patched() -> None:
    asked = tomllib.loads((ROOT / "local-aws" / "pyproject.toml").read_text())["project"]["dependencies"]

    assert f"moto[server]=={MOTO}" in asked
    assert pins("dev")["moto"] == MOTO


@pytest.mark.parametrize(
    "lock",
    [lock for room in ("requirements", "src", "tests") for lock in sorted(ROOT.glob(f"{room}/**/package-lock.json"))],
    ids=lambda lock: lock.parent.name,
)
def test_a_lock_of_javascript_records_no_address_at_all(lock: Path) -> None:
    assert "://" not in lock.read_text()


def test_the_lock_of_the_javascript_tools_holds_versions_and_hashes_and_no_addresses() -> None:
    asked = json.loads((REQUIREMENTS / "node" / "package.json").read_text())["devDependencies"]
    packages = json.loads((REQUIREMENTS / "node" / "package-lock.json").read_text())["packages"]
    installed = {place: package for place, package in packages.items() if place}

    assert {name: installed[f"node_modules/{name}"]["version"] for name in asked} == asked
    assert [place for place, package in installed.items() if not package["integrity"].startswith("sha512-")] == []
    assert [place for place, package in installed.items() if "resolved" in package] == []


def test_every_ignored_rule_carries_its_reason() -> None:
    lines = (ROOT / "pyproject.toml").read_text().splitlines()

    assert [line for line in lines if re.match(r'\s+"[A-Z]+\d*",', line) and "# " not in line] == []


def test_every_exception_in_the_code_carries_its_reason() -> None:
    exception = re.compile(r"# (?:noqa|type: ignore|nosec|pragma)\b.*")
    reasoned = re.compile(r"# (?:noqa: [A-Z]+\d+(, ?[A-Z]+\d+)* - .+|type: ignore\[[a-z, -]+\]  # .+)")

    assert [
        f"{place(file)}:{number}"
        for file in our_files()
        if file.suffix == ".py"
        for number, line in numbered_lines(file)
        if (found := exception.search(line)) and not reasoned.fullmatch(found[0])
    ] == []


@pytest.mark.parametrize(
    ("failed", "why"),
    [
        ({}, "No test failed"),
        (dict.fromkeys("abcd", "call"), "4 tests failed"),
        ({"a": "call", "b": "teardown"}, "not the same alone: b."),
        ({"tests/x.py": "collect"}, "not the same alone: tests/x.py."),
    ],
)
def test_only_the_bodies_of_a_few_tests_can_have_failed_by_chance(failed: dict[str, str], why: str) -> None:
    assert why in (again.why_it_is_no_chance(failed) or "")
    assert again.why_it_is_no_chance({"a": "call", "b": "call", "c": "call"}) is None


@pytest.mark.thorough
@pytest.mark.parametrize(("fails_at", "code", "told"), [(0, 0, "FAILED BY CHANCE"), (2, 1, "It failed again")])
def test_what_failed_is_asked_again_and_again_before_it_is_called_chance(
    fails_at: int,
    code: int,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    body = f"""from pathlib import Path
def test_it():
    with Path({str(tmp_path / "turns")!r}).open("a+") as file:
        file.write(".")
        assert file.tell() != {fails_at}
"""
    (tmp_path / "test_it.py").write_text(body)
    (tmp_path / "failed.json").write_text(json.dumps({str(tmp_path / "test_it.py::test_it"): "call"}))
    monkeypatch.setattr(again, "FAILED", tmp_path / "failed.json")
    monkeypatch.setattr(again, "TIMES", 2)

    assert again.main() == code
    assert told in capsys.readouterr().out
    assert (tmp_path / "turns").read_text() == ".."


def test_make_without_a_target_lists_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = re.search(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)

    assert targets is not None
    assert set(targets[1].split()) == set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))


@pytest.mark.thorough
@pytest.mark.parametrize(("strict", "outcome"), [("0", pytest.ExitCode.OK), ("1", pytest.ExitCode.TESTS_FAILED)])
def test_a_skipped_test_is_a_failure_in_strict_mode_only(tmp_path: Path, strict: str, outcome: pytest.ExitCode) -> None:
    run = run_pytest(tmp_path, "import pytest\n\ndef test_moon():\n    pytest.skip('too far')\n", strict)

    assert run.returncode == outcome, run.stdout
    assert ("test_moon.py::test_moon: Skipped: too far" in run.stdout) == (strict == "1")


@pytest.mark.thorough
def test_a_run_ends_with_one_list_of_what_to_install(tmp_path: Path) -> None:
    needs = "from tests.programs import need\n\n"
    tests = "".join(
        f"def test_{number}():\n    need('{program}')\n\n" for number, program in enumerate(("sshd", "bwrap", "bwrap"))
    )

    run = run_pytest(tmp_path, needs + tests, "0", "bwrap sshd")

    assert run.returncode == pytest.ExitCode.OK, run.stdout
    assert "3 tests were left out" in run.stdout
    assert "to see 3 of them (on Debian and Ubuntu): apt install bubblewrap openssh-server" in run.stdout


@pytest.mark.thorough
def test_of_two_runs_the_last_lists_what_both_have_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs, told = "from tests.programs import need\n\ndef test_{0}():\n    need('{0}')\n", str(tmp_path / "told.json")

    with monkeypatch.context() as first:
        first.setenv("WEBORDINARY_LISTED_LATER", told)
        early = run_pytest(tmp_path, needs.format("sshd"), "0", "bwrap sshd")
    monkeypatch.setenv("WEBORDINARY_LISTED_BEFORE", told)
    late = run_pytest(tmp_path, needs.format("bwrap"), "0", "bwrap sshd")

    assert "apt install" not in early.stdout
    assert "to see 2 of them (on Debian and Ubuntu): apt install bubblewrap openssh-server" in late.stdout


def test_what_is_hidden_is_not_found_and_everything_else_is() -> None:
    need_root("git")
    seen = "import shutil; print(*[bool(shutil.which(name)) for name in ('git', 'sh')])"

    found = subprocess.run(
        [sys.executable, "-m", "tests.without", "git", sys.executable, "-c", seen],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert found.stdout.split() == ["False", "True"]


def test_only_a_program_that_is_not_there_leaves_a_test_out() -> None:
    skips = re.compile(r"pytest\.skip\(|mark\.(?:skip|xfail)|importorskip")
    one_place = {ROOT / "tests" / "programs.py", ROOT / "tests" / "test_workshop.py"}

    assert [
        f"{place(file)}:{number}"
        for file in python_files(ROOT / "tests")
        if file not in one_place
        for number, line in numbered_lines(file)
        if skips.search(line)
    ] == []


def test_continuous_integration_installs_every_program_that_a_test_may_miss() -> None:
    listed = (ROOT / "packages" / "debian.txt").read_text() + (ROOT / "packages" / "testing.txt").read_text()

    # The last one is part of every Debian.
    assert set(PACKAGES.values()) - {"util-linux"} <= set(listed.split())


def run_pytest(folder: Path, test: str, strict: str, hidden: str = "") -> subprocess.CompletedProcess[str]:
    """Run one test file under the rules of this house, and perhaps without some programs."""
    (folder / "test_moon.py").write_text(test)
    pytest_here = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*pytest_here, "-c", os.devnull, "--rootdir", folder, folder],
        cwd=ROOT,
        env={**os.environ, "WEBORDINARY_STRICT": strict, "WEBORDINARY_WITHOUT": hidden},
        capture_output=True,
        text=True,
        check=False,
    )


def places_with(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{place(file)}:{number}"
        for file in our_files()
        for number, line in numbered_lines(file)
        if pattern.search(line)
    ]


def numbered_lines(file: Path) -> Iterator[tuple[int, str]]:
    return enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), start=1)


def pins(lock: str) -> dict[str, str]:
    found = PINNED.finditer((REQUIREMENTS / f"{lock}.txt").read_text())
    return {pin["name"]: pin["version"] for pin in found}


def asked_for(requirement_file: str) -> set[str]:
    lines = (REQUIREMENTS / f"{requirement_file}.in").read_text().splitlines()
    return {name_of(line) for line in lines if line and not line.startswith("#")}


def name_of(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0].lower()
