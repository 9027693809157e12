"""How a method of the local server is replaced by a better one."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def repair(owner: Any, name: str) -> Callable[[Callable[..., Any]], None]:  # noqa: ANN401 - any class of another library
    """Put a function in the place of a method; its first argument is the method that was there."""
    original = getattr(owner, name)
    # A method of the class itself is found bound to it, and is called without it.
    bound = hasattr(original, "__self__")

    def place(better: Callable[..., Any]) -> None:
        @wraps(original)
        def repaired(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - whatever the method takes and gives
            return better(original, *arguments, **named)

        setattr(owner, name, staticmethod(repaired) if bound else repaired)

    return place
