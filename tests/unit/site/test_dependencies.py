from __future__ import annotations

import os
import shutil
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.node import node_path
from tests.programs import need_sandbox
from tests.unit.site.registry import Registry, registry
from webordinary.errors import TryAgain
from webordinary.site.release.build import BuildBroke, build_site
from webordinary.site.release.dependencies import Dependencies, Installed, NpmLock, PipLock, dependencies_in
from webordinary.workspace.sandbox import LADDER, Sandbox, SandboxKind

if TYPE_CHECKING:
    from collections.abc import Iterator

LONG = timedelta(minutes=2)
BUILD = "mkdir dist && {} > dist/index.html"


class Yard:
    """Where one machine installs packages and builds a site with them."""

    def __init__(self, folder: Path, kind: SandboxKind) -> None:
        self.sandbox = need_sandbox(kind.value, folder)
        self.folder = folder
        self.dependencies = dependencies_in(folder, lambda: self.sandbox)
        self.checkout = folder / "lane" / "checkout"
        self.checkout.mkdir(parents=True)

    def install(self, files: dict[str, bytes]) -> Installed | None:
        return self.dependencies.installed(files.get, deadline=LONG, watch=lambda _: None)

    def build(self, installed: Installed | None, script: str) -> str:
        """Run a line of shell as the build, and return the page that it wrote."""
        into = self.folder / "scratch" / "site"
        shutil.rmtree(into, ignore_errors=True)
        shutil.rmtree(self.checkout / "dist", ignore_errors=True)
        build_site(
            self.checkout,
            ("sh", "-c", BUILD.format(script)),
            "dist",
            deadline=LONG,
            sandbox=lambda: self.sandbox,
            into=into,
            watch=lambda _: None,
            installed=installed,
        )
        return (into / "index.html").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def node() -> Iterator[str]:
    """Return a search path whose Node others can read too; what this repository lies in may be closed to them."""
    path = node_path()
    with tempfile.TemporaryDirectory(prefix="node-") as folder:
        Path(folder).chmod(0o755)
        home = Path(folder) / "node"
        shutil.copytree(Path(path.partition(os.pathsep)[0]).parent, home, symlinks=True)
        yield f"{home / 'bin'}{os.pathsep}{path.partition(os.pathsep)[2]}"


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch, node: str) -> Iterator[Registry]:
    with registry() as found:
        # A Python that a uid of its own can read.
        monkeypatch.setenv("PATH", f"{node.partition(os.pathsep)[0]}{os.pathsep}{os.defpath}")
        monkeypatch.setenv("NPM_CONFIG_REGISTRY", found.address)
        monkeypatch.setenv("PIP_INDEX_URL", f"{found.address}/simple")
        yield found


@pytest.fixture(params=LADDER, ids=[kind.value for kind in LADDER])
def rung(request: pytest.FixtureRequest) -> Iterator[Yard]:
    with tempfile.TemporaryDirectory(prefix="yard-") as folder:
        Path(folder).chmod(0o755)
        yield Yard(Path(folder), request.param)


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    return Yard(tmp_path, SandboxKind.BUBBLEWRAP)


@pytest.mark.thorough
def test_on_every_rung_a_build_finds_npm_packages_that_it_cannot_change(rung: Yard, place: Registry) -> None:
    installed = rung.install(place.npm_files())
    assert installed is not None
    assert rung.build(installed, "node node_modules/tiny/index.js") == "tiny is here\n"
    assert rung.build(installed, "tiny") == "tiny is here\n"
    assert "refused" in rung.build(installed, "(echo x >> node_modules/tiny/index.js || echo refused)")
    assert rung.build(installed, "(mkdir node_modules/.cache && echo may put more)") == "may put more\n"


def test_on_every_rung_a_build_finds_python_packages(rung: Yard, place: Registry) -> None:
    installed = rung.install(place.pip_files())
    assert rung.build(installed, "tiny") == "tiny is here\n"
    assert rung.build(installed, "python3 -c 'import tiny; tiny.main()'") == "tiny is here\n"


def test_nothing_of_a_package_is_run_while_it_is_installed(yard: Yard, place: Registry) -> None:
    installed = yard.install(place.npm_files())
    assert installed is not None
    assert not list(installed.folder.rglob("MARK"))


@pytest.mark.thorough
def test_packages_are_fetched_once_for_each_lock(yard: Yard, place: Registry) -> None:
    first = yard.install(place.npm_files())
    asked = len(place.asked)
    assert yard.install(place.npm_files()) == first
    assert len(place.asked) == asked
    another = place.npm_files() | {".npmrc": b"fund=false\n"}
    assert yard.install(another) != first


@pytest.mark.thorough
def test_a_package_that_is_not_what_the_lock_says_is_refused(yard: Yard, place: Registry) -> None:
    for files in (place.npm_files(), place.pip_files()):
        place.npm += b"\0"
        place.pip = place.pip.replace(b"tiny is here", b"evil is here")
        with pytest.raises(BuildBroke, match=r"the packages in .* could not be installed") as failure:
            yard.install(files)
        assert failure.value.details
    assert [path.suffix for path in (yard.folder / "dependencies").iterdir() if path.is_dir()] == []


def test_a_manifest_that_asks_for_more_than_its_lock_is_refused(yard: Yard, place: Registry) -> None:
    files = place.npm_files()
    files["package-lock.json"] = files["package-lock.json"].replace(b"node_modules/tiny", b"node_modules/other")
    with pytest.raises(BuildBroke):
        yard.install(files)


@pytest.mark.thorough
def test_a_registry_that_is_away_is_tried_again(yard: Yard, monkeypatch: pytest.MonkeyPatch, place: Registry) -> None:
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", "http://127.0.0.1:9")
    files = place.npm_files()
    files[".npmrc"] = b"fetch-retries=0\n"
    with pytest.raises(TryAgain, match="cannot be fetched now"):
        yard.install(files)


def test_the_installer_sees_no_secret_of_ours(yard: Yard, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WEBORDINARY_AGENT_KEY", "sk-secret")
    monkeypatch.setenv("PIP_INDEX_URL", "https://bob:hunter2@packages.example.com/simple")
    program = tmp_path / "bin" / "npm"
    program.parent.mkdir()
    program.write_text(
        "#!/bin/sh\nmkdir node_modules; echo '{\"packages\": {}}' > node_modules/.package-lock.json; env > seen\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.defpath}")
    lock = b'{"lockfileVersion": 3, "packages": {}}'
    installed = yard.install({"package.json": b"{}", "package-lock.json": lock})
    assert installed is not None
    seen = (installed.folder / "seen").read_text(encoding="utf-8")
    assert "HOME=" in seen
    assert "secret" not in seen
    assert "hunter2" not in seen


def test_without_a_lock_nothing_is_installed(tmp_path: Path) -> None:
    nothing = Dependencies(tmp_path / "dependencies", lambda: Sandbox(SandboxKind.NONE))
    for files in ({}, {"package.json": b"{}"}, {"requirements.txt": b"mkdocs\n"}, {"package-lock.json": b"{}"}):
        assert nothing.installed(files.get, deadline=LONG, watch=lambda _: None) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("lock", "problem"),
    [
        (b"mkdocs==1.6", "'mkdocs==1.6' has no hash"),
        (b"-r more.txt", "'-r more.txt' has no hash"),
        (b"mkdocs @ https://example.com/x.whl --hash=sha256:" + b"0" * 64, "has no hash"),
        (b"# nothing\n", "it names nothing"),
    ],
)
def test_a_list_for_pip_without_hashes_is_no_lock(lock: bytes, problem: str) -> None:
    assert problem in PipLock().problem(lock)


@pytest.mark.parametrize(
    ("lock", "problem"),
    [
        (b"{", "not a lock of npm 7"),
        (b'{"lockfileVersion": 1, "dependencies": {}}', "not a lock of npm 7"),
        (b'{"packages": {"": {}, "node_modules/x": {"resolved": "git+ssh://x"}}}', "node_modules/x has no checksum"),
    ],
)
def test_a_lock_for_npm_without_checksums_is_no_lock(lock: bytes, problem: str) -> None:
    assert problem in NpmLock().problem(lock)


def test_a_link_in_the_place_of_the_packages_is_not_followed(yard: Yard, tmp_path: Path) -> None:
    packages, elsewhere = tmp_path / "packages", tmp_path / "elsewhere"
    (packages / "node_modules" / "tiny").mkdir(parents=True)
    elsewhere.mkdir()
    (yard.checkout / "node_modules").symlink_to(elsewhere)
    Installed(packages, NpmLock()).lay_into(yard.checkout)
    assert list(elsewhere.iterdir()) == []
