"""Packages from outside that are broken, and what a person reads about them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from webordinary.config import read_config
from webordinary.errors import Misconfigured
from webordinary.site.targets.registry import TARGETS

if TYPE_CHECKING:
    from collections.abc import Iterator

_TARGET = """\
from webordinary.extend import PublishTarget

class Odd(PublishTarget):
    {options}

    def check(self, site, *, own):
        {check}

    def describe(self, site):
        return "somewhere"

    def doctor(self, project):
        return None

    def publish(self, project, engine):
        raise NotImplementedError
"""
_FILE = """\
domain = "edit.example.com"
[outgoing]
url = "maildir:outgoing"
[[project]]
id = "amelia"
repository = "far"
[project.site]
target = "{target}"
to = "sites"
url = "https://www.example.com/"
"""


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    yield
    TARGETS._loaded.pop("odd", None)  # noqa: SLF001 - what a test has installed is gone afterwards


def install(folder: Path, module: str, *, package: str) -> None:
    """Lay a distribution with one module and one target that is called `odd`."""
    (folder / f"{package}.py").write_text(module)
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[webordinary.targets]\nodd = {package}:Odd\n")


def told(target: str = "odd") -> str:
    """What is said about a configuration that chooses the target."""
    with pytest.raises(Misconfigured) as caught:
        read_config(_FILE.format(target=target), Path("/srv/webordinary.toml"), {})
    return str(caught.value)


@pytest.mark.parametrize(
    ("module", "why"),
    [
        ("raise SystemExit('no licence')", "SystemExit: no licence"),
        (_TARGET.format(options="options = int", check="yield from ()"), "options"),
        (_TARGET.format(options="", check="return None"), "NoneType"),
        (_TARGET.format(options="", check="yield 'to'"), "to"),
        (_TARGET.format(options="", check="yield 'to', 'is odd', 'very'"), "ValueError"),
        (_TARGET.format(options="", check="raise SystemExit(3)"), "SystemExit"),
    ],
)
def test_a_package_that_is_broken_is_named_with_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, why: str
) -> None:
    package = f"odd_{tmp_path.name.replace('-', '_')}"
    install(tmp_path, module, package=package)
    monkeypatch.syspath_prepend(tmp_path)
    said = told()
    assert f'The publish target "odd" of {package} 1.0 cannot be used' in said
    assert why in said


def test_two_packages_with_one_name_are_both_named_and_stop_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = _TARGET.format(options="", check="yield from ()")
    for package in ("first_odd", "second_odd"):
        install(tmp_path, module, package=package)
    monkeypatch.syspath_prepend(tmp_path)
    said = told()
    assert "first_odd 1.0" in said
    assert "second_odd 1.0" in said
    assert said.endswith('both have a publish target "odd"; remove one.')
    config = read_config(_FILE.format(target="folder"), Path("/srv/webordinary.toml"), {})
    assert config.projects[0].site.target == "folder"
