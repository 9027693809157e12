"""The body of a mail, told apart into the words, the files, and what nobody can read."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.errors import Refused
from webordinary.mail.html.text import MailPage, ReadAllowance, html_to_text
from webordinary.mail.message import Attachment, picture_mark
from webordinary.mail.mime.armour import PGP_MESSAGE, read_pkcs7, strip_pgp_signature
from webordinary.mail.mime.charset import clean_line, clean_text, decode_words
from webordinary.mail.mime.file_names import name_files
from webordinary.mail.mime.parts import MimePart, read_header_block, split_mail

if TYPE_CHECKING:
    from collections.abc import Iterator


_QUOTE = re.compile(r">*")
_SIGNATURE = "-- "


def unflow(text: str, *, delsp: bool) -> str:
    """Return the lines as they were typed; `delsp` when the space before a break was added by the program."""
    joined: list[tuple[int, list[str], bool]] = []
    for raw in text.split("\n"):
        depth, line = _depth_and_words(raw)
        soft = line.endswith(" ") and line != _SIGNATURE
        words = line[:-1] if soft and delsp else line
        if joined and joined[-1][2] and joined[-1][0] == depth and line != _SIGNATURE:
            joined[-1][1].append(words)
            joined[-1] = (depth, joined[-1][1], soft)
        else:
            joined.append((depth, [words], soft))
    return "\n".join(_line(depth, "".join(words)) for depth, words, _ in joined)


def _depth_and_words(raw: str) -> tuple[int, str]:
    marks = _QUOTE.match(raw)
    depth = marks.end() if marks else 0
    # A program puts a space before a line that begins with one, with a `>` or with "From ".
    return depth, raw[depth:].removeprefix(" ")


def _line(depth: int, words: str) -> str:
    words = words if words == _SIGNATURE else words.rstrip(" ")
    return f"{'>' * depth} {words}".rstrip(" ") if depth else words


ATTACHMENTS_LIMIT = 20
# So many are told by name that they are too many.
_MOST_NAMED = 40
# Nobody writes a longer instruction.
TEXT_LIMIT = 1_000_000
LINES_LIMIT = 20_000
_MOST_FORWARDED = 5
_DEEPEST_FORWARD = 2

_SIGNATURES = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"},
)
_PKCS7 = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_SEALED = frozenset({"multipart/encrypted", "application/pgp-encrypted"})
_ARMOUR = (PGP_MESSAGE.encode(), b64encode(PGP_MESSAGE.encode()))
_LETTERS_OF_ARMOUR = 200
_TNEF = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})
# Other versions of a text that stands beside them.
_OTHER_VERSIONS = frozenset({"text/x-amp-html", "text/watch-html"})
_WORDS = frozenset({"text/plain", "text/html"})
# Texts that are written for programs: an invitation or a card that is the whole mail is a file without any words.
_FOR_PROGRAMS = frozenset({"text/calendar", "text/vcard", "text/x-vcard", "text/directory"})

ENCRYPTED = "The mail is encrypted, so it cannot be read here; please send it again without encryption."
_ARMOURED = "A part of the mail is encrypted, so it cannot be read here; please send it again without encryption."
_WINMAIL = (
    "The file winmail.dat can only be read by Outlook; please send the mail again as HTML or as plain text,"
    " with its files attached in the ordinary way."
)
_TOO_LONG = "The text is too long; only its beginning was read."
_PICTURE_IN_PLAIN_TEXT = re.compile(r"\[(?:cid:|image: )([^\]\n]{1,250})\]")


@dataclass(frozen=True, slots=True)
class Body:
    """What a mail holds; see `Message`."""

    text: str = ""
    attachments: tuple[Attachment, ...] = ()
    defects: tuple[str, ...] = ()
    forwarded: str = ""
    excess: str | None = None
    unreadable: tuple[str, ...] = ()


def read_body(root: MimePart, *, is_answer: bool, depth: int = 0) -> Body:
    """Return the words and files of a mail that was split into its parts."""
    root = _opened(root)
    files = [part for part in root.leaves() if _is_file(part, root)]
    attachments = tuple(name_files(files[:_MOST_NAMED], read=ATTACHMENTS_LIMIT))
    reading = _Reading(root, _pictures(attachments), dict(zip(map(id, files), attachments, strict=False)), is_answer)
    text = reading.text()
    defects = [defect for part in root.walk() for defect in part.defects]
    if len(files) > ATTACHMENTS_LIMIT:
        defects.append(f"Only the first {ATTACHMENTS_LIMIT} of {len(files)} attachments were kept.")
    shortened = _shortened(text)
    if reading.allowance.is_spent or len(text) > len(shortened):
        defects.append(_TOO_LONG)
    text = shortened
    unreadable = tuple(dict.fromkeys(_unreadable(root, text)))
    forwarded = "\n\n".join(_forwarded(files, depth)) if depth < _DEEPEST_FORWARD else ""
    return Body(text, attachments, (*defects, *unreadable), _shortened(forwarded), None, unreadable)


def _shortened(text: str) -> str:
    lines = text[:TEXT_LIMIT].split("\n", LINES_LIMIT)
    return "\n".join(lines[:LINES_LIMIT])


def read_versions(raw: bytes) -> list[str]:
    """Return every version of the words of a mail of ours, as text."""
    view = memoryview(raw)
    leaves = split_mail(view, read_header_block(view)).leaves()
    readings = (_Reading(part, {}, {}, is_answer=False) for part in leaves if part.content_type in _WORDS)
    return [reading.text() for reading in readings]


def _opened(root: MimePart) -> MimePart:
    """Return what is inside a mail that is one signed envelope."""
    if not _is_pkcs7(root):
        return root
    inside = read_pkcs7(root.content())
    if inside is None:
        return root
    try:
        return split_mail(memoryview(inside), read_header_block(memoryview(inside)))
    except Refused:
        return root


def _is_file(part: MimePart, root: MimePart) -> bool:
    if _is_words(part, root) or part.content_type in _SIGNATURES or part.content_type in _OTHER_VERSIONS:
        return False
    return bool(part.file_name) or len(part.body) > 0


def _is_words(part: MimePart, root: MimePart) -> bool:
    if part is root:
        is_text = part.content_type.startswith("text/") and part.content_type not in _FOR_PROGRAMS
        return is_text and part.disposition != "attachment"
    return part.content_type in _WORDS and part.disposition != "attachment" and not part.file_name


def _pictures(attachments: tuple[Attachment, ...]) -> dict[str, str]:
    return {each.content_id: each.name for each in attachments if each.content_id}


@dataclass(slots=True)
class _Reading:
    """One mail's words, put together in the order in which the person sees them."""

    root: MimePart
    pictures: dict[str, str]
    files: dict[int, Attachment]
    is_answer: bool
    allowance: ReadAllowance = field(default_factory=lambda: ReadAllowance(TEXT_LIMIT))

    def text(self) -> str:
        return self._page_of(self.root).text

    def _page_of(self, part: MimePart) -> MailPage:
        if part.children and part.content_type == "multipart/alternative":
            return self._best_alternative(part)
        if part.children:
            pages = [page for child in part.children if (page := self._page_of(child)).text.strip()]
            return MailPage("\n".join(page.text for page in pages), any(page.tells_more for page in pages))
        if part.content_type not in _WORDS and id(part) in self.files:
            return self._place_of(part)
        return self._words_of(part) if _is_words(part, self.root) else MailPage("")

    def _place_of(self, part: MimePart) -> MailPage:
        """Keep the place of a picture that the person put between two paragraphs."""
        if part.disposition != "inline" or not part.content_type.startswith("image/") or part.content_id:
            return MailPage("")
        return MailPage(f"\n{picture_mark(self.files[id(part)].name)}\n", tells_more=True)

    def _words_of(self, part: MimePart) -> MailPage:
        text = clean_text(part.text(most=4 * TEXT_LIMIT))
        if part.content_type == "text/html":
            return html_to_text(text, self.allowance, self.pictures, is_answer=self.is_answer)
        if part.parameters.get("format", "").lower() == "flowed":
            text = unflow(text, delsp=part.parameters.get("delsp", "").lower() == "yes")
        return MailPage(_PICTURE_IN_PLAIN_TEXT.sub(self._mark, strip_pgp_signature(text)))

    def _mark(self, found: re.Match[str]) -> str:
        name = self.pictures.get(found[1])
        known = name or next((each.name for each in self.files.values() if each.name == found[1]), None)
        return picture_mark(known) if known else found[0]

    def _best_alternative(self, part: MimePart) -> MailPage:
        """Return the version with the most to tell: the page where it has quotes or pictures, else the plain text."""
        plain = [child for child in part.children if child.content_type == "text/plain"]
        others = [child for child in reversed(part.children) if child.content_type != "text/plain"]
        pages = [page for child in others if (page := self._page_of(child)).text.strip()]
        if pages and pages[0].tells_more and not self.allowance.is_spent:
            return pages[0]
        texts = [page for child in plain if (page := self._page_of(child)).text.strip()]
        return next(iter(texts + pages), MailPage(""))


def _unreadable(root: MimePart, text: str) -> Iterator[str]:
    for part in root.walk():
        if _is_encrypted(part):
            yield ENCRYPTED
        if part.content_type in _TNEF or part.file_name.lower() == "winmail.dat":
            yield _WINMAIL
    if PGP_MESSAGE in text:
        yield _ARMOURED


def _is_encrypted(part: MimePart) -> bool:
    """Tell whether a part is a mail that only the holder of a key can read, also where a server has repacked it."""
    if part.content_type in _SEALED or _is_pkcs7(part):
        return True
    is_text = part.content_type.startswith("text/")
    begins = bytes(part.body[:_LETTERS_OF_ARMOUR]).lstrip() if not part.children and not is_text else b""
    return begins.startswith(_ARMOUR)


def _is_pkcs7(part: MimePart) -> bool:
    """Tell whether a part is an S/MIME envelope; some servers name it only by its file."""
    return part.content_type in _PKCS7 or part.file_name.lower() == "smime.p7m"


def _forwarded(files: list[MimePart], depth: int) -> Iterator[str]:
    """Yield the text of each mail that came along as a file, with the headers that a person looks at."""
    mails = [part for part in files if part.content_type == "message/rfc822"]
    for part in mails[:_MOST_FORWARDED]:
        raw = memoryview(part.content())
        block = read_header_block(raw)
        try:
            inner = read_body(split_mail(raw, block), is_answer=False, depth=depth + 1)
        except Refused:
            continue
        shown = [(name, clean_line(decode_words(str(block.headers.get(name, "")))[:500])) for name in _SHOWN]
        head = "\n".join(f"{name}: {value}" for name, value in shown if value)
        yield "\n\n".join(text for text in (head, inner.text.strip("\n"), inner.forwarded) if text)


_SHOWN = ("From", "Date", "Subject", "To")
