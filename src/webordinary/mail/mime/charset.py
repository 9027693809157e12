"""Bytes of unknown origin become text: the declared charset, then UTF-8, then the likeliest old one."""

from __future__ import annotations

import binascii
import re
from encodings.aliases import aliases
from typing import TYPE_CHECKING

from charset_normalizer import from_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Only charsets from Python's own table: `punycode` needs quadratic time, and looking up a name that does not
# exist is remembered for ever, so a sender must not choose the name.
_CHARSETS = {name: codec for name, codec in aliases.items() if not codec.endswith("_codec")}
_CHARSETS |= {codec: codec for codec in _CHARSETS.values()}
_CHARSETS |= {"koi8_u": "koi8_u", "cp874": "cp874", "windows_874": "cp874", "utf_8_sig": "utf_8_sig"}
# Mails that claim these two mean the Windows charset, which has quotes and dashes where they have nothing.
_CHARSETS |= dict.fromkeys((name for name, codec in _CHARSETS.items() if codec == "latin_1"), "cp1252")

# What mails were written in before UTF-8; guessing among all that exist finds nonsense in short texts.
_OLD_CHARSETS = (
    *("cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "koi8_r"),
    *("gb18030", "big5", "cp932", "euc_jp", "cp949"),
)
_LETTERS_TO_GUESS_BY = 8192
_LETTERS_A_LOSS = 10

_ENCODED_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
# Controls, and letters that no person sees but a program reads: marks of direction, and the "tags" in which whole
# sentences can be hidden.
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]",
)
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]")
_SHORTEST_ENCODED = 40
_NOT_BASE64 = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="))


def _windows(_: bytes) -> str:
    return "cp1252"


def decode_text(content: bytes, declared: str | None, otherwise: Callable[[bytes], str] = _windows) -> str:
    """Return the text in these bytes, whatever charset they claim; `otherwise` names one when the claim is wrong."""
    name = (declared or "").strip().lower().replace("-", "_")
    codecs: tuple[str | None, ...] = (_CHARSETS.get(name), "utf_8")
    if codecs[0] == "cp1252" and not content.isascii():
        # These bytes make sense in every old charset; as UTF-8 they do so only where they are.
        codecs = codecs[::-1]
    for codec in codecs:
        if codec is None:
            continue
        try:
            return content.decode(codec)
        except (UnicodeError, LookupError):
            continue
    return content.decode(otherwise(content), "replace")


def guess_charset(content: bytes) -> str:
    """Return the charset in which these bytes make the most sense; this costs up to some milliseconds."""
    sample = content[:_LETTERS_TO_GUESS_BY]
    if len(content) > len(sample):
        # A letter of several bytes that is cut in two would rule out the right charset.
        sample = sample[: sample.rfind(b"\n") + 1] or sample
    if _is_damaged_utf8(sample):
        return "utf_8"
    guess = from_bytes(sample, cp_isolation=list(_OLD_CHARSETS)).best()
    return guess.encoding if guess and guess.encoding in _OLD_CHARSETS else "cp1252"


def _is_damaged_utf8(sample: bytes) -> bool:
    """Tell whether a few bytes were lost from what was UTF-8: other charsets hardly ever look like it."""
    letters = sample.decode("utf-8", "replace")
    lost = letters.count("\ufffd")
    return sum(not letter.isascii() for letter in letters) > _LETTERS_A_LOSS * lost


def decode_base64(content: bytes) -> bytes:
    """Return what base64 text stands for, leaving out whatever cannot belong to it."""
    letters = content.translate(None, _NOT_BASE64).partition(b"=")[0]
    if len(letters) % 4 == 1:
        letters = letters[:-1]
    return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))


def is_plain_after_all(content: bytes, decoded: bytes, declared: str | None) -> bool:
    """Tell whether what is marked as base64 is plain text: it reads as words, and what it stands for does not."""
    if _reads_as_text(decoded, declared) or not _reads_as_text(content, "utf-8"):
        return False
    pieces = content.split()
    if _looks_encoded(content, pieces):
        return False
    encoded = sum(len(piece) for piece in pieces if len(piece) >= _SHORTEST_ENCODED and not _has_other_signs(piece))
    # Damaged base64 still has its long lines, and nobody writes such words.
    return any(chr(sign).isalpha() for sign in content[:_LETTERS_TO_GUESS_BY]) and 2 * encoded < sum(map(len, pieces))


def _looks_encoded(content: bytes, pieces: list[bytes]) -> bool:
    """Tell whether a few signs are base64 in a charset that nobody named: no spaces, and more than letters."""
    joined = b"".join(pieces)
    is_one_a_line = len(pieces) == sum(bool(line.strip()) for line in content.splitlines())
    return is_one_a_line and len(joined) % 4 == 0 and not joined.isalpha() and not _has_other_signs(joined)


def _has_other_signs(piece: bytes) -> bool:
    return len(piece.translate(None, _NOT_BASE64)) < len(piece)


def _reads_as_text(content: bytes, declared: str | None) -> bool:
    """Tell whether bytes are text in their charset: they fit, and hold none of the signs that no text has."""
    codec = _CHARSETS.get((declared or "").strip().lower().replace("-", "_"), "utf_8")
    try:
        text = content.decode(codec)
    except (UnicodeError, LookupError):
        return False
    return not text or _NO_TEXT.search(text) is None


def decode_words(value: str) -> str:
    """Return a header value with its encoded words read."""
    return "".join(_decoded_runs(value)) if "=?" in value else value


def _decoded_runs(value: str) -> Iterator[str]:
    """Yield plain and decoded runs; neighbouring words may share a letter, so they are joined."""
    waiting, charset, end = b"", "", 0
    for word in _ENCODED_WORD.finditer(value):
        gap = value[end : word.start()]
        name = word[1].partition("*")[0]
        if waiting and (gap.strip() or name.lower() != charset.lower()):
            yield decode_text(waiting, charset)
            waiting = b""
        if gap.strip() or end == 0:
            yield gap
        waiting, charset, end = waiting + _word_bytes(word), name, word.end()
    yield decode_text(waiting, charset)
    yield value[end:]


def _word_bytes(word: re.Match[str]) -> bytes:
    content = word[3].encode("utf-8")
    return decode_base64(content) if word[2] in "bB" else binascii.a2b_qp(content, header=True)


def clean_text(text: str) -> str:
    """Return text that any store, file and terminal takes: plain newlines, no control or half letters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("", text).encode("utf-8", "replace").decode("utf-8")


def clean_line(text: str) -> str:
    """Return text as one line."""
    return " ".join(clean_text(text.replace("\x0b", " ").replace("\x0c", " ")).split())
