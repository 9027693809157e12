"""Replaces a method of moto by a better one (a monkey patch)."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def patch_method(owner: Any, name: str) -> Callable[[Callable[..., Any]], None]:
    """Put a function in the place of a method; its first argument is the method that was there."""
    original = getattr(owner, name)
    # A method of the class itself is found bound to it, and is called without it.
    bound = hasattr(original, "__self__")

    def place(better: Callable[..., Any]) -> None:
        @wraps(original)
        def patched(*arguments: Any, **named: Any) -> Any:
            return better(original, *arguments, **named)

        setattr(owner, name, staticmethod(patched) if bound else patched)

    return place
