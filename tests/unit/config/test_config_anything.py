from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webordinary.config import Config, read_config
from webordinary.config.describe import is_list, keys_of, section_in
from webordinary.config.environment import variables
from webordinary.config.shape import File
from webordinary.config.write import quote
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from webordinary.values import Section

PLAIN = [
    "true",
    "-1",
    "0",
    "3",
    "2.5",
    "nan",
    "-inf",
    "9" * 400,
    "1979-05-27",
    "07:32:00",
    "[]",
    "{}",
    "[[1]]",
]
TEXTS = [
    "",
    "a",
    "~x/y",
    "smtp://u:p@h",
    "maildir:x",
    "127.0.0.1:1",
    "a@b",
    "UTC",
    "folder",
    "5 s",
    "command",
]
values = st.sampled_from(PLAIN) | (st.sampled_from(TEXTS) | st.text(max_size=8)).map(quote)


def tables(section: type[Section], header: str) -> st.SearchStrategy[str]:
    """Make texts of one table and those inside it, with good and bad values for its keys."""
    keys = keys_of(section)
    plain = [name for name, key in keys.items() if section_in(key.type) is None]
    lines = st.dictionaries(st.sampled_from([*plain, "unknown"]), values).map(
        lambda chosen: "".join(f"{name} = {value}\n" for name, value in chosen.items())
    )
    parts = [lines.map(lambda text: f"{header}\n{text}")]
    for name, key in keys.items():
        if inner := section_in(key.type):
            path = f"{header.strip('[]')}.{name}".lstrip(".")
            below = tables(inner, f"[[{path}]]" if is_list(key.type) else f"[{path}]")
            parts.append(st.just("") | below)
    return st.tuples(*parts).map("".join)


def read(text: str, environ: dict[str, str]) -> Config | None:
    with suppress(Misconfigured):
        return read_config(text, Path("/srv/webordinary.toml"), environ)
    return None


@pytest.mark.thorough
@given(tables(File, ""))
def test_whatever_stands_in_the_file_is_read_or_refused_in_words(text: str) -> None:
    read(text, {})


@given(st.dictionaries(st.sampled_from(sorted(variables())), st.sampled_from(TEXTS + PLAIN) | st.text()))
def test_whatever_the_variables_hold_is_read_or_refused_in_words(environ: dict[str, str]) -> None:
    read('domain = "a.example"\n[outgoing]\nurl = "maildir:x"\n', environ)


@given(st.text())
def test_whatever_the_file_holds_is_read_or_refused_in_words(text: str) -> None:
    assert read(text, {}) is None
