"""One mail's page: what it says, who wrote it, what became of it, and the mail itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.dashboard.story.files import hand_out_mail, shown_files
from webordinary.dashboard.story.incoming import html_in, tell_mail
from webordinary.dashboard.story.letters import html_of, pictures_in, read_letter
from webordinary.dashboard.story.mail_frame import framed
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import NoSuchThing

if TYPE_CHECKING:
    from starlette.responses import Response

    from webordinary.overview import MailView


def one_mail(visit: PageVisit) -> Response:
    """Show a mail."""
    story = tell_mail(visit.engine, _find(visit))
    files = shown_files(story.job) if story.job else []
    return visit.shows("one_mail.html", mail=story.mail, story=story, files=files)


def page_of_mail(visit: PageVisit) -> Response:
    """Show the HTML of a mail, for a sandboxed frame; its pictures are only named."""
    return framed(html_in(visit.engine.inbox.read(_find(visit).id)))


def letter_to_sender(visit: PageVisit) -> Response:
    """Show the HTML of what its sender was written, for a sandboxed frame."""
    written = read_letter(visit.engine.outbox, _find(visit).id, visit.params["kind"])
    if written is None:
        raise NoSuchThing("This letter is no longer kept.")
    return framed(html_of(written), pictures_in(written))


def raw_mail(visit: PageVisit) -> Response:
    """Hand out a mail as it came."""
    return hand_out_mail(visit.engine, _find(visit).id)


def _find(visit: PageVisit) -> MailView:
    found = visit.engine.overview.mail(visit.params["mail"])
    if found is None:
        raise NoSuchThing(f"There is no mail {visit.params['mail']}.")
    return found


PAGES = (
    PageRoute("GET", "/mail/{mail}", one_mail, role=Role.READER),
    PageRoute("GET", "/mail/{mail}/page", page_of_mail, role=Role.READER),
    PageRoute("GET", "/mail/{mail}/letters/{kind}", letter_to_sender, role=Role.READER),
    # It may quote a link that says ok, which a reader may not.
    PageRoute("GET", "/mail/{mail}/raw", raw_mail, role=Role.OPERATOR),
)
