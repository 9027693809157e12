"""What a demo can show for itself: the page as the public sees it, and the answers in the mailbox."""

from __future__ import annotations

import difflib
import html
import mailbox
import re
from dataclasses import dataclass
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from webordinary.cli.demo.folder import PROJECT
from webordinary.errors import JobFailed, TryAgain

OLD_HOUR, NEW_HOUR = "8:00", "9:00"

_SECONDS = 10
_TAG = re.compile(r"<[^>]*>")
_OK = 200


@dataclass(frozen=True, slots=True)
class ReceivedAnswer:
    """An answer as it lies in the owner's mailbox."""

    sender: str
    subject: str
    in_reply_to: str
    text: str


def read_page(port: int, path: str = "/") -> str:
    """Fetch a page of the live site over HTTP, as a browser would that finds `amelia.localhost`."""
    connection = HTTPConnection("127.0.0.1", port, timeout=_SECONDS)
    try:
        connection.request("GET", path, headers={"Host": f"{PROJECT}.localhost:{port}"})
        response = connection.getresponse()
        body = response.read().decode("utf-8", "replace")
    except (OSError, HTTPException) as problem:
        raise TryAgain(f"The site server on port {port} does not answer ({problem}).") from problem
    finally:
        connection.close()
    if response.status != _OK:
        raise TryAgain(f"The site server answers {response.status} for {path} instead of the page.")
    return body


def changed_lines(before: str, after: str) -> list[str]:
    """Return what reads differently on the page, each line with its `-` or `+`."""
    compared = difflib.unified_diff(_words_of(before), _words_of(after), lineterm="", n=0)
    return [line for line in compared if line[:1] in "+-" and not line.startswith(("+++", "---"))]


def _words_of(page: str) -> list[str]:
    lines = (" ".join(html.unescape(_TAG.sub(" ", line)).split()) for line in page.splitlines())
    return [line for line in lines if line]


def answers_to(message_id: str, folder: Path) -> list[ReceivedAnswer]:
    """Return the answers in the mailbox to one mail, whatever their order there."""
    if not folder.is_dir():
        return []
    kept = mailbox.Maildir(folder, factory=None, create=False)
    found = [_received(kept.get_bytes(key)) for key in sorted(kept.keys())]
    return [mail for mail in found if mail.in_reply_to.strip("<>") == message_id.strip("<>")]


def _received(raw: bytes) -> ReceivedAnswer:
    mail = BytesParser(EmailMessage, policy=default).parsebytes(raw)
    body = mail.get_body(("plain",))
    text = str(body.get_content()) if body is not None else ""
    return ReceivedAnswer(str(mail["From"]), str(mail["Subject"]), str(mail["In-Reply-To"] or "").strip(), text.strip())


def prove(before: str, after: str, answers: list[ReceivedAnswer]) -> None:
    """Refuse to call it a success unless the page changed and the owner was told so, once."""
    if NEW_HOUR in before or OLD_HOUR not in before:
        raise JobFailed(f"The page did not say {OLD_HOUR} before the mail, so the demo proves nothing.")
    if NEW_HOUR not in after:
        raise JobFailed(f"The page does not say {NEW_HOUR} after the mail.")
    if len(answers) != 1:
        raise JobFailed(f"The mailbox holds {len(answers)} answers to the mail instead of one.")
