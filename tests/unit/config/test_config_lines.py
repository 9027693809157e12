from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webordinary.config.lines import key_lines, line_of
from webordinary.config.write import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.config.lines import KeyPath

EVERYTHING = '''\
# comment with [brackets] and = signs
top = 1 # [not.a.table]
"quoted key" = "a # no comment"
'literal.key' = 'x'
dotted . inner."key" = 1979-05-27 07:32:00
text = """
fake = 1
\\""" [still] """""
literal = \'\'\'
also = "fake"\'\'\'
dates = [1979-05-27 07:32:00, 2
, 3]
[table] # header
key = { a = 1, b = { c = [
  1, # one
  "]",
  { d = 4 },
] } }

  [ table . "sub.table" ]
key = true
[[list]]
key = 1
[list.inner]
key = 2
[[list.deep]]
key = 3
[[list.deep]]
key = 4

[[list]]
key = 5
[[list.deep]]
key = 6
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("top",), 2),
        (("quoted key",), 3),
        (("literal.key",), 4),
        (("dotted", "inner", "key"), 5),
        (("text",), 6),
        (("literal",), 9),
        (("dates", 1), 11),
        (("dates", 2), 12),
        (("table",), 13),
        (("table", "key", "b", "c", 0), 15),
        (("table", "key", "b", "c", 2, "d"), 17),
        (("table", "sub.table", "key"), 21),
        (("list", 0, "key"), 23),
        (("list", 0, "inner", "key"), 25),
        (("list", 0, "deep", 1, "key"), 29),
        (("list", 1), 31),
        (("list", 1, "deep", 0, "key"), 34),
    ],
)
def test_a_key_is_found_on_its_line(path: KeyPath, line: int) -> None:
    tomllib.loads(EVERYTHING)
    assert key_lines(EVERYTHING)[path] == line


def test_a_key_that_is_not_written_is_looked_for_in_the_table_around_it() -> None:
    assert line_of(EVERYTHING, ("list", 1, "absent", "more")) == 31
    assert line_of(EVERYTHING, ("absent",)) is None


def test_carriage_returns_do_not_move_the_lines() -> None:
    assert key_lines(EVERYTHING.replace("\n", "\r\n")) == key_lines(EVERYTHING)


def test_a_long_file_is_walked_once() -> None:
    text = "".join(f"[[list]]\nkey = {{ a = [1, 2] }} # {number}\n" for number in range(20_000))
    assert line_of(text, ("list", 19_999, "key", "a")) == 40_000


@pytest.mark.parametrize("text", ["[", "a", "a = ", "a = [", "a = {b", '"a', "a = '''", "[[a]", "= 1", '"\\q" = 1'])
def test_a_text_that_is_not_toml_ends_the_walk_quietly(text: str) -> None:
    assert set(key_lines("first = 1\n" + text)) >= {("first",)}


def paths(value: object, path: KeyPath) -> Iterator[KeyPath]:
    if path:
        yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, child in children:
        yield from paths(child, (*path, name))


scalars = st.one_of(st.integers(-5, 5).map(str), st.booleans().map(lambda b: str(b).lower()), st.text().map(quote))
blanks = st.sampled_from([" ", "\n", " # note ]}\n", "\n\n  "])


def _list(parts: list[str], gap: str) -> str:
    return f"[{gap}{f',{gap}'.join(parts)}{gap}]"


values = st.recursive(scalars, lambda inner: st.builds(_list, st.lists(inner, max_size=3), blanks), max_leaves=6)
keys = st.text(max_size=4).map(quote) | st.sampled_from(["a", "b-2", "list"])


@given(st.lists(st.tuples(keys, values), max_size=6), st.lists(st.tuples(keys, values), max_size=6))
def test_whatever_toml_reads_is_found_in_order(top: list[tuple[str, str]], inner: list[tuple[str, str]]) -> None:
    text = "\n".join([*(f"{k} = {v}" for k, v in top), "[[last]]", *(f"{k} = {v}" for k, v in inner)])
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    found = key_lines(text)
    expected = list(paths(data, ()))
    assert set(found) == set(expected)
    assert [found[path] for path in expected] == sorted(found[path] for path in expected)
