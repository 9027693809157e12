"""Text and JSON as both engines store them: without what no store takes."""

from __future__ import annotations

import msgspec


def storable(text: str) -> str:
    """Return text without what no store takes: half letters and NUL."""
    if text.isascii() and "\x00" not in text:
        return text
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def text_of(value: object) -> str:
    """Return a value as the JSON text that a column or an attribute stores."""
    try:
        text = msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        text = ""
    if text and "\\u0000" not in text:
        return text
    return msgspec.json.encode(_all_storable(msgspec.to_builtins(value))).decode()


def _all_storable(value: object) -> object:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {_all_storable(name): _all_storable(each) for name, each in value.items()}
    return [_all_storable(each) for each in value] if isinstance(value, list | tuple) else value
