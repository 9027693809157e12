"""Words that would run if a page believed them, and a story in which strangers write them everywhere."""

from __future__ import annotations

import io
import json
import shlex
from typing import TYPE_CHECKING

from tests.pictures import corners
from webordinary.testing.mail import write_mail
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, MARIA, SCOTT, TOM, Story

if TYPE_CHECKING:
    from webordinary.jobs.job import Job

# Each calls `ran`, which every page of the tests listens for; besides it tries a dialog.
PAYLOADS = (
    "<script>ran('script')</script>",
    "\"><script>ran('quote')</script>",
    "'><img src=x onerror=ran('img')>",
    "<svg/onload=ran('svg')>",
    "</title></textarea></pre></script><script>ran('close')</script>",
    "<a href=\"javascript:ran('link')\" autofocus onfocus=ran('focus')>x</a>",
    "<iframe srcdoc=\"<script>parent.ran('frame')</script>\"></iframe>",
    "<math><mtext></p><style><img src=x onerror=ran('mathml')></style></mtext></math>",
    "\" onmouseover=ran('attribute') x=\"",
    "{{ ''.__class__ }}${7*7}<%= 7*7 %>",
    "<meta http-equiv=refresh content=\"0;url=javascript:ran('meta')\">",
    "<base href=//evil.example/>",
    "\u202e\u2028<!--<script>ran('comment')//-->",
    "<details open ontoggle=ran('toggle')>",
    "<form action=//evil.example><button>press</button></form>",
)
NASTY = PAYLOADS[0]
# Of somebody who writes under this name; the quotes of a header stand around it.
SENDER_NAME = "<img src=x onerror=ran(1)>"
_LOUD = "".join(PAYLOADS)
_SAID = shlex.quote("\n".join(PAYLOADS))
# An agent that says the same things and leaves them in a page, and a build that prints them.
_AGENT = f"printf '%s\\n' {_SAID}; printf '<!-- %s -->\\n' {_SAID} >> index.html"
_BUILD = f"printf '%s\\n' {_SAID}; mkdir -p out; cp *.html *.css out/"


def hostile_sites() -> tuple[SiteSetup, SiteSetup]:
    """Return the bakery with a name that attacks whoever looks, and a flower shop whose agent and build do."""
    named = f"name = {json.dumps(NASTY)}"
    agent = f'agent = {{ kind = "command", repairs = false, command = ["sh", "-c", {json.dumps(_AGENT)}] }}'
    return (
        SiteSetup("amelia", BAKERY.editors, rules=named),
        SiteSetup("flora", ((TOM.user, TOM.address),), build=("sh", "-c", _BUILD), output="out", rules=agent),
    )


def tell_hostile_story(story: Story) -> list[Job]:
    """Let people write attacks in every part of a mail, and return the jobs that came of it."""
    body = "The croissant costs 3,10 € now.\n\n" + "\n".join(PAYLOADS)
    files = ((f"{PAYLOADS[2]}.txt", "text/plain", b"x"), ("photo.jpg", "image/jpeg", _photo()))
    mails = [story.writes(SCOTT, body, subject=PAYLOADS[1], files=files)]
    mails += [story.writes(MARIA, "Please do " + PAYLOADS[3], subject=each) for each in PAYLOADS[3:6]]
    mails.insert(1, story.writes(TOM, "We have tulips.\n\n" + NASTY, site="flora", subject=NASTY))
    jobs = [story.waits_for_job(mail) for mail in mails]
    # One whom nobody knows, with a name that attacks: it is held or refused.
    strange = write_mail(
        sender=f'"{SENDER_NAME}" <scott@example.org>', to=f"amelia@{story.rig.domain}",
        text=_LOUD, subject=_LOUD[:200].replace("\u2028", ""),
    )  # fmt: skip
    story.rig.deliver(strange, as_address=None, to=f"amelia@{story.rig.domain}")
    return jobs


def _photo() -> bytes:
    written = io.BytesIO()
    corners(800, 600).save(written, "JPEG")
    return written.getvalue()
