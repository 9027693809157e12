from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.config.describe import keys_of, section_in, sentences_of
from webordinary.config.reference import reference_page
from webordinary.config.shape import File

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.values import Section

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "configuration.md"
COMMAND = "python -m webordinary.config.reference > docs/reference/configuration.md"


def sections(section: type[Section]) -> Iterator[type[Section]]:
    yield section
    for key in keys_of(section).values():
        if inner := section_in(key.type):
            yield from sections(inner)


def test_the_reference_page_is_what_the_code_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference_page(), f"run `{COMMAND}`"


def test_every_key_is_explained_by_one_sentence() -> None:
    for section in sections(File):
        explained = sentences_of(section)
        plain = {name for name, key in keys_of(section).items() if section_in(key.type) is None}
        assert set(explained) == plain, f"{section.__name__}: a sentence below each key"
        assert all(sentence.endswith(".") for sentence in explained.values())


def test_the_page_says_how_it_is_made() -> None:
    assert COMMAND in reference_page()
