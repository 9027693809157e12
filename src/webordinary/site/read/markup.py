"""Pages as browsers read them: the tree that HTML's own rules make of any text, unless it is made to drown its reader.

The time and the memory that a tree takes grow with its page, but for two things: open words such as `<b>`, which every
paragraph behind them begins anew, and bodies in bodies. A page that has too many of them is not read.
"""

from __future__ import annotations

import re

import turbohtml

# So much of a page is looked at for its charset, as browsers do.
_HEAD = 1_024
_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le"))
_MOST_BODIES, _MOST_COPIES = 100, 1_500_000
_BODIES = re.compile(r"<(?:html|body)(?=[\s/>])", re.IGNORECASE)
_BEGUN_ANEW = re.compile(r"<(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])", re.IGNORECASE)
_VOID = re.compile(
    r"<(?:area|br|col|embed|hr|img|input|link|meta|source|wbr)\b[^<>\"']*+(?:(?:\"[^\"<>]*\"|'[^'<>]*')[^<>\"']*+)*+>",
    re.IGNORECASE,
)
_CLOSED = re.compile(
    r"<([a-z][a-z0-9-]*+)(?=[\s/>])[^<>\"']*+(?:(?:\"[^\"<>]*+\"|'[^'<>]*+')[^<>\"']*+)*+>[^<>]*+</\1\s*+>",
    re.IGNORECASE,
)
_ROUNDS = 40


def parse(content: str | bytes) -> turbohtml.Document | None:
    """Return the tree of a page; None when it is too broken to be read."""
    text = content.removeprefix("\ufeff") if isinstance(content, str) else decode(content)
    if _drowns(text):
        return None
    return turbohtml.parse(text, positions=False, scripting=True, allow_declarative_shadow_roots=False)


def decode(content: bytes) -> str:
    """Return the letters of a page as browsers read them: by its mark, else by what it says, else as what it can be."""
    for mark, charset in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(charset, errors="replace")
    head = turbohtml.parse(content[:_HEAD])
    if head.encoding_confidence == "certain" and head.encoding:
        return _decode_as(content, head.encoding)
    try:
        return content.decode()
    except UnicodeDecodeError:
        return _decode_as(content, "windows-1252")


def _decode_as(content: bytes, charset: str) -> str:
    try:
        return content.decode(charset, errors="replace")
    except LookupError:
        return content.decode("latin-1")


def _drowns(text: str) -> bool:
    """Tell whether copies of open words would fill the memory; what is closed where it stands begins nothing anew."""
    if len(_BODIES.findall(text)) > _MOST_BODIES:
        return True
    tags = text.count("<")
    left = text
    for _ in range(_ROUNDS):
        if len(_BEGUN_ANEW.findall(left)) * tags <= _MOST_COPIES:
            return False
        shorter = _CLOSED.sub(" ", _VOID.sub(" ", left))
        if len(shorter) == len(left):
            break
        left = shorter
    return True
