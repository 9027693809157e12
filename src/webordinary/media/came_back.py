"""Pictures of our own answers that come back with a reply: mail programs send along what they quote."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webordinary.mail.conversation import OUR_PREFIX
from webordinary.mail.message import picture_mark
from webordinary.mail.words.announce import is_forward_subject
from webordinary.mail.words.quoting import own_words

if TYPE_CHECKING:
    from webordinary.mail.message import Attachment, Message

# As answers name them; Outlook gives them names of its own.
OUR_PICTURE = re.compile(r"picture-\d{1,4}\.[0-9a-f]{16}@")


def that_came_back(message: Message) -> frozenset[str]:
    """Return the names of the files that stand in what a reply quotes of a mail of ours."""
    inside = [file for file in message.attachments if file.content_id or file.disposition == "inline"]
    answers_us = any(found.startswith(OUR_PREFIX) for found in message.references)
    if not inside or not answers_us or is_forward_subject(message.subject):
        return frozenset()
    words = own_words(message.text, is_reply=True)
    return frozenset(file.name for file in inside if _is_quoted(file, words.kept, words.cut))


def _is_quoted(file: Attachment, kept: str, cut: str) -> bool:
    mark = picture_mark(file.name)
    # A picture in the person's own signature is cut too, but nothing of ours stands above it.
    return mark not in kept and (OUR_PICTURE.match(file.content_id) is not None or _stands_below_ours(cut, mark))


def _stands_below_ours(cut: str, mark: str) -> bool:
    above, found, _ = cut.partition(mark)
    return bool(found) and (_IS_OURS.search(above) is not None)


_IS_OURS = re.compile(r"\^\^\^ WebOrdinary: |\bre\+[a-z2-7]{30,60}@", re.IGNORECASE)
