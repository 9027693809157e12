"""Mutants: a source file with one thing wrong in it, such as a comparison, a constant, a condition or a call.

Only what decides is changed. Annotations, decorators, documentation, sentences for people and the numbers of settings
stay as they are.
"""

from __future__ import annotations

import ast
import copy
import difflib
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

_COMPARISONS: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
}
_OPERATORS: dict[type[ast.operator], ast.operator] = {
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.Div(),
    ast.Div: ast.Mult(),
    ast.FloorDiv: ast.Mult(),
    ast.Mod: ast.Mult(),
    ast.BitOr: ast.BitAnd(),
    ast.BitAnd: ast.BitOr(),
}
_OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list", "reversed": "list"}
_FOLDINGS = {"lower", "upper", "casefold", "strip", "lstrip", "rstrip"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A file, which piece of it is replaced by what, and the function that it stands in (none: the module itself).

    Its lines are those of the whole statement: Python does not tell for each piece of it that it was run.
    """

    file: Path
    function: str
    line: int
    lines: range
    start: int
    end: int
    replacement: str
    names: frozenset[str] = frozenset()

    @property
    def source(self) -> str:
        """Return the whole file with the mistake in it."""
        whole = self.file.read_bytes()
        return (whole[: self.start] + self.replacement.encode() + whole[self.end :]).decode()

    @property
    def diff(self) -> tuple[str, str]:
        """Return the lines that differ, without their indentation, before and after."""
        before, after = self.file.read_text(encoding="utf-8").splitlines(), self.source.splitlines()
        changed = [line for line in difflib.ndiff(before, after) if line[:2] in {"- ", "+ "}]
        taken, put = ([line[2:].strip() for line in changed if line[0] == sign] for sign in "-+")
        return " ".join(taken), " ".join(put)

    def rank(self, seed: str) -> str:
        """Return where it stands in the order of a sample; other lines of the file do not move it."""
        mark = f"{seed}\0{self.file.name}\0{self.function}\0{self.replacement}\0{self.end - self.start}"
        return hashlib.sha256(mark.encode()).hexdigest()


def mutants_of(file: Path) -> list[Mutant]:
    """Return every mutant of a file, in the order of its lines."""
    source = file.read_bytes()
    offsets = [0]
    for line in source.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    found: list[Mutant] = []
    for place in _places(ast.parse(source)):
        node = place.node
        if place.is_setting or not isinstance(node, ast.expr | ast.stmt):
            continue
        start = offsets[node.lineno - 1] + node.col_offset
        end = offsets[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        about = (file, place.function, node.lineno, _lines_of(place.statement), start, end)
        found += [Mutant(*about, replacement, place.names) for replacement in _wrong(node, place.parent)]
    return sorted(set(found), key=lambda each: (each.line, each.start, each.replacement))


@dataclass(frozen=True, slots=True)
class _Place:
    """Something that could be wrong, where it stands, and by which names of its module it is known."""

    node: ast.AST
    parent: ast.AST
    statement: ast.stmt
    function: str
    names: frozenset[str]

    @property
    def is_setting(self) -> bool:
        """Tell whether it is a number of the module or of a class: how long, how much; a test could only repeat it."""
        value = self.node.value if isinstance(self.node, ast.Constant) else None
        return not self.function and isinstance(value, int | float) and not isinstance(value, bool)


def _places(module: ast.Module) -> Iterator[_Place]:
    for statement in module.body:
        yield from _within(_Place(statement, module, statement, "", frozenset(_names_of(statement))), "")


def _within(place: _Place, scope: str) -> Iterator[_Place]:
    """Return a place and all places in it; `scope` names the classes around it."""
    node = place.node
    if _is_silent(node, place.parent):
        return
    yield place
    inner = f"{scope}{node.name}" if isinstance(node, Function | ast.ClassDef) and not place.function else ""
    for field, child in _children(node):
        statement = child if isinstance(child, ast.stmt) else place.statement
        # A default is decided when the module is read.
        begins = inner if isinstance(node, Function) and field == "body" else ""
        here = _Place(child, node, statement, place.function or begins, place.names)
        yield from _within(here, f"{inner}." if inner else scope)


def _children(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for field, value in ast.iter_fields(node):
        if field not in {"annotation", "returns", "decorator_list"}:
            values = value if isinstance(value, list) else [value]
            yield from ((field, child) for child in values if isinstance(child, ast.AST))


def _lines_of(statement: ast.stmt) -> range:
    """Return the lines of a statement, without those of the statements in it."""
    inner = [child.lineno for _, child in _children(statement) if isinstance(child, ast.stmt)]
    return range(statement.lineno, max(statement.lineno + 1, min(inner, default=(statement.end_lineno or 0) + 1)))


def _names_of(statement: ast.stmt) -> Iterator[str]:
    """Return what a statement of a module or its class defines."""
    match statement:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            yield from (name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case _:
            return


def _is_silent(node: ast.AST, parent: ast.AST) -> bool:
    """Tell whether a piece of a module decides nothing: words for people, imports, types, logs."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()) | ast.JoinedStr() | ast.Raise():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="_log")))):
            return True
        case ast.Constant():
            return isinstance(parent, ast.Subscript)
        case _:
            return False


def _wrong(node: ast.expr | ast.stmt, parent: ast.AST) -> Iterator[str]:
    """Return what could stand there instead of a node."""
    yield from _other_expressions(node) if isinstance(node, ast.expr) else _other_statements(node)
    if _is_condition(node, parent) and isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.NamedExpr):
        yield f"(not ({ast.unparse(node)}))"
    if isinstance(parent, ast.comprehension) and node in parent.ifs:
        yield "True"


def _other_expressions(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Compare():
            yield from _other_comparisons(node)
        case ast.BoolOp():
            yield from _other_conditions(node)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield f"({ast.unparse(operand)})"
        case ast.BinOp(op=operator) if type(operator) in _OPERATORS and not _is_type(node):
            yield f"({ast.unparse(_with(node, op=_OPERATORS[type(operator)]))})"
        case ast.Constant(value=value):
            yield from _other_values(value)
        case ast.Call():
            yield from _other_calls(node)
        case _:
            return


def _other_statements(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.AugAssign(op=operator) if type(operator) in _OPERATORS:
            yield ast.unparse(_with(node, op=_OPERATORS[type(operator)]))
        case ast.Return(value=ast.expr() as value) if not _is_nothing(value):
            yield "return None"
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.Delete():
            yield "pass"
        case ast.Break():
            yield "continue"
        case ast.Continue():
            yield "break"
        case _:
            return


def _other_comparisons(node: ast.Compare) -> Iterator[str]:
    for index, operator in enumerate(node.ops):
        operators = [*node.ops[:index], _COMPARISONS[type(operator)], *node.ops[index + 1 :]]
        yield f"({ast.unparse(_with(node, ops=operators))})"


def _other_conditions(node: ast.BoolOp) -> Iterator[str]:
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield f"({ast.unparse(_with(node, op=other))})"
    for index in range(len(node.values)):
        rest = [value for number, value in enumerate(node.values) if number != index]
        yield f"({ast.unparse(rest[0] if len(rest) == 1 else _with(node, values=rest))})"


def _other_values(value: object) -> Iterator[str]:
    match value:
        case bool():
            yield repr(not value)
        case int() | float():
            yield repr(value + 1)
        case str() if value and not any(letter.isspace() for letter in value):
            yield repr(f"{value}~")
        case _:
            return


def _other_calls(node: ast.Call) -> Iterator[str]:
    for index, keyword in enumerate(node.keywords):
        if keyword.arg is not None and not _is_told_otherwise(keyword.value):
            rest = [each for number, each in enumerate(node.keywords) if number != index]
            yield ast.unparse(_with(node, keywords=rest))
    match node.func:
        case ast.Name(id=name) if name in _OPPOSITES:
            yield ast.unparse(_with(node, func=ast.Name(_OPPOSITES[name])))
        case ast.Attribute(value=value, attr=name) if name in _FOLDINGS:
            yield f"({ast.unparse(value)})"
        case _:
            return


def _is_told_otherwise(value: ast.expr) -> bool:
    """Tell whether leaving an argument out says nothing new: it is a sentence for a person, or it is changed itself."""
    return isinstance(value, ast.JoinedStr) or (
        isinstance(value, ast.Constant) and (isinstance(value.value, bool) or " " in str(value.value))
    )


def _is_condition(node: ast.AST, parent: ast.AST) -> bool:
    return isinstance(parent, ast.If | ast.IfExp | ast.While) and parent.test is node


def _is_nothing(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _is_type(node: ast.BinOp) -> bool:
    """Tell whether an or is one of types, as in `int | None`."""
    return isinstance(node.op, ast.BitOr) and any(
        isinstance(each, ast.Constant) and each.value is None for each in ast.walk(node)
    )


def _with(node: ast.expr | ast.stmt, **fields: object) -> ast.expr | ast.stmt:
    """Return a copy of a node with other fields."""
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other
