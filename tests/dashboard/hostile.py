"""Words that would run if a page believed them, and a story in which strangers write them everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.pictures import corners
from webordinary.testing.mail import write_mail
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, MARIA, SCOTT, Story

if TYPE_CHECKING:
    from pathlib import Path

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
_LOUD = "".join(PAYLOADS)
# A build that says the same things, and fails when the page asks it to.
_BUILD = f"""import pathlib, sys
print({_LOUD!r}); print({_LOUD!r}, file=sys.stderr)
sys.exit("fails" in pathlib.Path("index.html").read_text())
"""


def hostile_site(folder: Path) -> SiteSetup:
    """Return the bakery with a name and a build that attack whoever looks."""
    program = folder / "build.py"
    program.write_text(_BUILD)
    name = NASTY.replace("'", "&quot;").replace("&quot;", "`")
    return SiteSetup("amelia", BAKERY.editors, rules=f"name = '''{name}'''")


def tell_hostile_story(story: Story) -> list[Job]:
    """Let people write attacks in every part of a mail, and return the jobs that came of it."""
    body = "The croissant costs 3,10 € now.\n\n" + "\n".join(PAYLOADS)
    files = ((f"{PAYLOADS[2]}.txt", "text/plain", b"x"), ("photo.jpg", "image/jpeg", _photo()))
    mails = [story.writes(SCOTT, body, subject=PAYLOADS[1], files=files)]
    mails += [story.writes(MARIA, "Please do " + PAYLOADS[3], subject=each) for each in PAYLOADS[3:6]]
    jobs = [story.waits_for_job(mail) for mail in mails]
    # One whom nobody knows, with a name that attacks: it is held or refused.
    strange = write_mail(
        sender='"<img src=x onerror=ran(1)>" <scott@example.org>', to=f"amelia@{story.rig.domain}",
        text=_LOUD, subject=_LOUD[:200].replace("\u2028", ""),
    )  # fmt: skip
    story.rig.deliver(strange, as_address=None, to=f"amelia@{story.rig.domain}")

    return jobs


def _photo() -> bytes:
    import io  # noqa: PLC0415 - only here

    written = io.BytesIO()
    corners(800, 600).save(written, "JPEG")
    return written.getvalue()
