"""A language from outside of the package: one module, its templates and one entry point."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from webordinary.reply.words import templates_of

MODULE = """
from dataclasses import replace
from importlib.resources import files

from webordinary.languages import ENGLISH, Language

PIRATE = replace(
    ENGLISH,
    code="xp",
    name="Pirate",
    marker="scrawl above this line",
    detected_by="arr matey ye yer aye",
    replies=replace(ENGLISH.replies, ok="aye", yes="aye aye", undo="belay that", thanks="much obliged"),
    when=replace(ENGLISH.when, weekdays=("moonday", *ENGLISH.when.weekdays[1:]), until="till"),
    templates=files("pirate") / "words",
)
"""


@pytest.fixture
def site_packages(tmp_path: Path) -> Path:
    """Install a package as pip would: a module, its templates, and what says where the language is."""
    package, info = tmp_path / "pirate", tmp_path / "pirate-1.0.dist-info"
    package.mkdir()
    info.mkdir()
    (package / "__init__.py").write_text(MODULE)
    shutil.copytree(Path(str(templates_of("en"))), package / "words")
    published = package / "words" / "published.txt"
    published.write_text(published.read_text("utf-8").replace("Done, your change is live.", "Arr, yer change sails."))
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pirate\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[webordinary.languages]\nxp = pirate:PIRATE\n")
    return tmp_path


def run(site_packages: Path, program: str) -> str:
    """Run a program that sees the package beside ours."""
    path = {"PYTHONPATH": str(site_packages), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", dedent(program)]
    done = subprocess.run(command, env=path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_a_package_brings_a_language_with_its_templates(site_packages: Path) -> None:
    said = run(
        site_packages,
        """
        from webordinary.values import LanguageCode
        from webordinary.languages import codes, find, lacking
        from webordinary.mail.words.quoting import marker_line
        from webordinary.mail.words.verbs import read_verb
        from webordinary.reply.language import detect_language
        from webordinary.reply.as_text import as_text
        from webordinary.reply.words import phrases, wording

        print(codes()[-1], lacking(find("xp")), LanguageCode.read("xp"))
        print(marker_line("xp"), read_verb("Belay that!"), detect_language("Arr matey, fix yer hours"))
        words = wording("published", "xp", {"address": "https://ship.example/"})
        print(as_text(words, phrases("xp")).splitlines()[0])
        """,
    )
    assert said.splitlines() == [
        "xp [] xp",
        "^^^ WebOrdinary: scrawl above this line ^^^ undo xp",
        "Arr, yer change sails.",
    ]


def test_a_package_that_cannot_be_loaded_is_told_and_left_out(site_packages: Path) -> None:
    (site_packages / "pirate" / "__init__.py").write_text("raise RuntimeError('no sails')")
    said = run(site_packages, "from webordinary.languages import codes; print(codes())")
    assert said.startswith("('en', 'de', 'fr', 'es', 'it', 'nl')\n")
    assert "The language xp cannot be loaded from pirate:PIRATE: mend or remove that package." in said


def test_something_else_than_a_language_is_told_and_left_out(site_packages: Path) -> None:
    (site_packages / "pirate" / "__init__.py").write_text("PIRATE = 'arr'")
    said = run(site_packages, "from webordinary.languages import codes; print(codes())")
    assert "'xp'" not in said.splitlines()[0]
    assert "The entry point xp of pirate:PIRATE is no Language: mend or remove that package." in said


def test_no_package_takes_the_place_of_a_built_in_language(site_packages: Path) -> None:
    (site_packages / "pirate" / "__init__.py").write_text(MODULE.replace('code="xp"', 'code="de"'))
    said = run(site_packages, "from webordinary.languages import find; print(find('de').name)")
    assert said == "German\n"
