"""Detects quoted text by the structure of the page, as the mail programs of the world write it."""

from __future__ import annotations

import re
from enum import Enum

# The containers in which programs put the answered or forwarded mail with the line that announces it.
_QUOTING_CLASSES = frozenset(
    {"gmail_attr", "moz-cite-prefix", "moz-forward-container", "moz-email-headers-table", "protonmail_quote"}
    | {"tutanota_quote", "zmail_extra", "outlookmessageheader", "ms-outlook-mobile-reference-message"}
)
_QUOTING_IDS = frozenset(
    {"reply-intro", "isreplycontent", "isforwardcontent", "mail-editor-reference-message-container"}
)
# Behind these, everything to the end of the page is the other mail: they are no containers.
_TAIL_IDS = frozenset({"divrplyfwdmsg", "olk_src_body_section", "replysplit"})
_TAIL_IDS_OF_ANSWERS = frozenset({"appendonsend", "stopspelling", "ec_stopspelling", "zwchr"})
_YAHOO = re.compile(r"(?:^|\s)\w{0,40}yahoo_quoted")
_BAR_AT_THE_LEFT = re.compile(r"border-left(?:-style)?:[^;]{0,60}solid")


class QuoteRole(Enum):
    """What an element is in the conversation."""

    ORDINARY = "ordinary"
    QUOTE = "quote"
    GMAIL_ANNOUNCEMENT = "gmail announcement"
    GMAIL_CONTAINER = "gmail container"
    TAIL = "tail"


def place_of(name: str, attributes: dict[str, str], *, is_answer: bool) -> QuoteRole:
    """Tell what an element is; a tail of Outlook counts only where the mail answers another one."""
    if not attributes:
        return QuoteRole.ORDINARY
    identity = attributes.get("id", "").lower().removeprefix("x_")
    classes = attributes.get("class", "").lower()
    if identity in _TAIL_IDS or (is_answer and identity in _TAIL_IDS_OF_ANSWERS):
        return QuoteRole.TAIL
    if name == "blockquote":
        return QuoteRole.QUOTE if _is_quote(attributes, classes, identity) else QuoteRole.ORDINARY
    if not classes and not identity:
        return (
            QuoteRole.QUOTE if name == "div" and attributes.get("name", "").lower() == "quote" else QuoteRole.ORDINARY
        )
    return _place_by_name(classes, identity)


def _place_by_name(classes: str, identity: str) -> QuoteRole:
    names = frozenset(classes.split())
    if "gmail_attr" in names:
        return QuoteRole.GMAIL_ANNOUNCEMENT
    if "gmail_quote" in names or "gmail_quote_container" in names:
        return QuoteRole.GMAIL_CONTAINER
    if names & _QUOTING_CLASSES or identity in _QUOTING_IDS or _YAHOO.search(classes) or _YAHOO.search(identity):
        return QuoteRole.QUOTE
    return QuoteRole.ORDINARY


def _is_quote(attributes: dict[str, str], classes: str, identity: str) -> bool:
    """Tell a quoted mail from an indented paragraph, which is a blockquote too."""
    if attributes.get("type", "").lower() == "cite" or "cite" in attributes:
        return True
    if "quote" in classes or "quote" in identity:
        return True
    style = "".join(attributes.get("style", "")[:1_000].split()).lower()
    return _BAR_AT_THE_LEFT.search(style) is not None
