"""Every condition of a module that decides something, found in its syntax tree.

Not among them: whether a variable holds anything at all (what is not there cannot be decided about), and which of two
values is meant (`a if b else c`, `a or b`): these refuse nothing.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


_FILES = sorted(file.name for file in resources.files("webordinary.dispatch").iterdir() if file.name.endswith(".py"))
# Every module that decides about lanes, and the one that decides who is asked to make room.
GUARDED = (
    *(f"dispatch.{name.removesuffix('.py')}" for name in _FILES if name != "__init__.py"),
    "interrupts.decide",
)


class Condition(NamedTuple):
    """A place where something is decided, and what an entry has to touch to be about it."""

    module: str
    line: int
    text: str
    begin: int
    end: int

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.text}"


def source_of(module: str) -> str:
    return inspect.getsource(importlib.import_module(f"webordinary.{module}"))


def conditions_of(module: str) -> Iterator[Condition]:
    """Return what each `if`, `while`, filter and case asks, and each answer that is itself yes or no."""
    source = source_of(module)
    begins = [0]
    for line in source.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    tree = ast.parse(source)
    skipped = _only_for_types(tree)
    for node in ast.walk(tree):
        for test in _tests_in(node):
            if test.lineno not in skipped and not _is_presence(test) and test.end_lineno and test.end_col_offset:
                begin = begins[test.lineno - 1] + test.col_offset
                end = begins[test.end_lineno - 1] + test.end_col_offset
                yield Condition(module, test.lineno, " ".join(source[begin:end].split()), begin, end)


def _tests_in(node: ast.AST) -> Iterator[ast.expr | ast.pattern]:
    if isinstance(node, ast.If | ast.While):
        yield node.test
    elif isinstance(node, ast.comprehension):
        yield from node.ifs
    elif isinstance(node, ast.match_case) and not isinstance(node.pattern, ast.MatchAs):
        yield node.pattern
    elif isinstance(node, ast.Return | ast.Assign) and node.value is not None and _is_question(node.value):
        yield node.value


def _is_question(value: ast.expr) -> bool:
    return isinstance(value, ast.Compare) or (
        isinstance(value, ast.BoolOp) and any(isinstance(each, ast.Compare | ast.UnaryOp) for each in value.values)
    )


def _is_presence(test: ast.expr | ast.pattern) -> bool:
    match test:
        case ast.Name() | ast.NamedExpr() | ast.UnaryOp(operand=ast.Name()):
            return True
        case ast.Compare(left=ast.Name(), ops=[ast.Is() | ast.IsNot()]):
            return True
        case ast.Call(func=ast.Name(id="isinstance")):
            return True
        case ast.BoolOp(values=values):
            return all(map(_is_presence, values))
        case _:
            return False


def _only_for_types(tree: ast.Module) -> set[int]:
    return {
        node.lineno
        for node in tree.body
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    }
