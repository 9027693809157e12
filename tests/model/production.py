"""The code of dispatch with one guard broken: a text of its source is replaced, and only for the while of a test."""

from __future__ import annotations

import importlib
import inspect
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Breakage(NamedTuple):
    """Which guard is broken, and how."""

    module: str
    text: str
    instead: str

    def __str__(self) -> str:
        return f"{self.module}: {self.text.strip()} -> {self.instead.strip() or 'nothing'}"


@contextmanager
def broken(breakage: Breakage) -> Iterator[None]:
    """Run the block with the guard broken, wherever its function is known by now."""
    module = importlib.import_module(f"webordinary.{breakage.module}")
    source = inspect.getsource(module)
    if source.count(breakage.text) != 1:
        raise AssertionError(f"{breakage.text!r} stands {source.count(breakage.text)} times in {breakage.module}")
    namespace = {"__name__": module.__name__, "__file__": module.__file__}
    exec(compile(source.replace(breakage.text, breakage.instead), str(module.__file__), "exec"), namespace)  # noqa: S102 - our own source
    fresh = dict(_functions(namespace, module.__name__))
    before: list[tuple[FunctionType, CodeType]] = []
    for name, function in _functions(vars(module), module.__name__):
        if name in fresh and fresh[name].__code__ != function.__code__:
            before.append((function, function.__code__))
            function.__code__ = fresh[name].__code__
    if not before:
        raise AssertionError(f"{breakage} changes nothing")
    try:
        yield
    finally:
        for function, code in before:
            function.__code__ = code


def _functions(namespace: Mapping[str, object], module: str) -> Iterator[tuple[str, FunctionType]]:
    for value in namespace.values():
        if isinstance(value, FunctionType) and value.__module__ == module:
            yield value.__qualname__, value
        elif isinstance(value, type) and value.__module__ == module:
            for each in vars(value).values():
                function = each.fget if isinstance(each, property) else each
                if isinstance(function, FunctionType):
                    yield function.__qualname__, function
