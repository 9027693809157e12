"""Version, changelog and upgrade notes agree, and no step of the database comes as a surprise."""

from __future__ import annotations

import re
import tomllib

from tests.earlier.__main__ import KEPT
from tests.tree import PACKAGE, ROOT

VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
NOTES = (
    (ROOT / "docs" / "howto" / "upgrade.md").read_text(encoding="utf-8").partition("\n## Notes for each version\n")[2]
)
HEADINGS = re.findall(r"^## \[(.+?)\](.*)$", CHANGELOG, re.MULTILINE)
MIGRATIONS = sorted(file.stem for file in (PACKAGE / "engines" / "embedded" / "migrations").glob("*.sql"))


def number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def steps_of_each_version() -> dict[str, list[str]]:
    """The steps that the notes name, under the version that brought them."""
    _, *parts = re.split(r"^### ", NOTES, flags=re.MULTILINE)
    return {
        part.partition("\n")[0].strip(): re.findall(r"^\| `(\d{4}_\w+)` \| \w", part, re.MULTILINE) for part in parts
    }


def test_the_changelog_lists_what_is_not_released_first_and_then_each_release_with_its_day() -> None:
    (first, nothing), *released = HEADINGS
    versions = [number(version) for version, _ in released]

    assert (first, nothing) == ("Unreleased", "")
    assert versions == sorted(versions, reverse=True)
    assert [day for _, day in released if not re.fullmatch(r" - \d{4}-\d\d-\d\d", day)] == []


def test_the_version_is_the_newest_release_or_the_one_that_comes_after_it() -> None:
    unreleased = CHANGELOG.partition("## [Unreleased]\n")[2].partition("\n## [")[0].strip()
    newest = number(HEADINGS[1][0]) if HEADINGS[1:] else (0,)

    assert number(VERSION) > newest if unreleased else number(VERSION) == newest


def test_every_step_of_the_database_is_named_once_under_the_version_that_brought_it() -> None:
    told = steps_of_each_version()
    oldest_first = [step for version in sorted(told, key=number) for step in told[version]]

    assert oldest_first == MIGRATIONS


def test_every_version_has_notes_and_every_note_its_version() -> None:
    released = {version for version, _ in HEADINGS[1:]}

    assert list(steps_of_each_version()) == sorted({*released, VERSION}, key=number, reverse=True)


def test_every_release_keeps_an_installation_that_the_next_one_takes_over() -> None:
    kept = {file.name.removesuffix(".tar.xz") for file in KEPT.glob("*.tar.xz")}

    assert kept >= {version for version, _ in HEADINGS[1:]}
    assert kept
