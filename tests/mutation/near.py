"""What stands near a mutant: the test files that are worth asking, and the functions that use a name of a module."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from tests.tree import PACKAGE, TESTS, python_files, syntax

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tests.mutation.mutant import Mutant
    from tests.mutation.reach import Reached

_FAR = 4


def files_of_tests_near(files: Sequence[Path]) -> list[Path]:
    """Return the test files that import one of these files or their rooms: quick ones first, then the nearest."""
    folders = {file.relative_to(PACKAGE).parent for file in files}
    modules = {_module(file) for file in files}
    rooms = {module.rpartition(".")[0] for module in modules} - {"webordinary"}

    def distance(test: Path) -> int:
        direct, all_imports = _imports_behind(test, only_in=test.parent), _imports_behind(test)
        for number, (wanted, imported) in enumerate(
            ((modules, direct), (rooms, direct), (modules, all_imports), (rooms, all_imports))
        ):
            if any(f"{name}.".startswith(f"{each}.") for name in imported for each in wanted):
                return number
        return _FAR

    tests = [file for file in python_files(TESTS) if file.name.startswith("test_")]
    near = [(test, far) for test in tests if (far := distance(test)) < _FAR]
    return [
        test for test, _ in sorted(near, key=lambda each: (_is_slow(each[0]), each[1] + _is_away(each[0], folders)))
    ]


def _is_slow(test: Path) -> bool:
    """Tell whether a file's tests start programs or servers, or are hundreds, as a rule."""
    return test.relative_to(TESTS).parts[0] not in {"unit", "golden", "contracts"}


def _is_away(test: Path, folders: set[Path]) -> bool:
    """Tell whether a file stands in another room than what it tests."""
    return test.parent.relative_to(TESTS / "unit" if test.is_relative_to(TESTS / "unit") else TESTS) not in folders


def _module(file: Path) -> str:
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def _imports(file: Path) -> frozenset[str]:
    found = [node for node in ast.walk(syntax(file)) if isinstance(node, ast.ImportFrom) and node.module]
    return frozenset(f"{node.module}" for node in found) | frozenset(
        f"{node.module}.{name.name}" for node in found for name in node.names
    )


@cache
def _imports_behind(file: Path, only_in: Path = TESTS) -> frozenset[str]:
    """Return what a test file imports, also by way of what other tests in a folder keep for it."""
    seen: dict[Path, frozenset[str]] = {}
    to_read = [file, *(folder / "conftest.py" for folder in file.parents if folder.is_relative_to(only_in))]
    while to_read:
        each = to_read.pop()
        if each in seen or not each.is_file() or not each.is_relative_to(only_in):
            continue
        seen[each] = _imports(each)
        ours = (name for name in seen[each] if name.startswith("tests."))
        to_read += [TESTS.parent.joinpath(*name.split(".")).with_suffix(".py") for name in ours]
    return frozenset().union(*seen.values())


@dataclass
class Users:
    """Finds the tests of a mutant among those that were measured."""

    reached: Sequence[Reached]
    _by_place: dict[str, list[Reached]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for test in self.reached:
            for place in test.ran:
                self._by_place.setdefault(place, []).append(test)

    def tests_of(self, mutant: Mutant) -> list[Reached]:
        """Return the tests that run the line; of a name of the module, those that call a function that uses it."""
        if mutant.function:
            return self._that_ran(f"{mutant.file}:{line}" for line in mutant.lines)
        return self._that_ran(_functions_using(mutant))

    def _that_ran(self, places: Iterable[str]) -> list[Reached]:
        found = {test.test: test for place in places for test in self._by_place.get(place, ())}
        return list(found.values())


def _functions_using(mutant: Mutant) -> Iterator[str]:
    names = _with_what_is_made_of(mutant.names, mutant.file)
    public = {name for name in names if not name.startswith("_")}
    for file in python_files(PACKAGE) if public else [mutant.file]:
        here = names if file == mutant.file else public
        for function, used in _names_used(file).items():
            if used & here or function.partition(".")[0] in here:
                yield f"{file}:{function}"


def _with_what_is_made_of(names: frozenset[str], file: Path) -> frozenset[str]:
    """Return these names of a module and those of its other names that are made of them."""
    grown = set(names)
    for statement in syntax(file).body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and _identifiers([statement]) & grown:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            grown |= _identifiers(targets)
    return frozenset(grown)


@cache
def _names_used(file: Path) -> dict[str, frozenset[str]]:
    """Return the names that each function of a file uses."""
    return {name: frozenset(_identifiers(node.body)) for name, node in _outermost(syntax(file).body, "")}


def _outermost(body: Iterable[ast.stmt], scope: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{scope}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _outermost(node.body, f"{scope}{node.name}.")


def _identifiers(nodes: Iterable[ast.AST]) -> set[str]:
    return {
        node.id if isinstance(node, ast.Name) else node.attr
        for each in nodes
        for node in ast.walk(each)
        if isinstance(node, ast.Name | ast.Attribute)
    }
