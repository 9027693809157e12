"""The page behind the link in a mail that asks for an ok: it needs no account, and opening it changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from webordinary.actions import ok_link, reply_by_link
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import Refused
from webordinary.reply.words import phrases, spoken, wording

if TYPE_CHECKING:
    from webordinary.actions.ok_link import LinkOwner
    from webordinary.reply.write import WordedLetter

# A picture is only ever a picture.
_HARMLESS = {"content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'"}
_GONE = 410


def show(visit: PageVisit) -> Response:
    """Show what is proposed, or what became of it."""
    owner = ok_link.who_was_asked(visit.house.here, visit.params["token"])
    if owner is None:
        return _unknown(visit)
    said = _said(visit, owner)
    language = said.language if said else owner.project.rules.language
    became = ok_link.what_became(visit.house.here, owner)
    if became is not None:
        return _over(visit, owner, became, language)
    if ok_link.was_said(visit.house.here, owner):
        return _told(visit, owner, phrases(language).ok_page["taken"], language)
    return visit.shows(
        "say_ok.html",
        site=owner.project.name,
        owner=owner,
        said=said,
        page=phrases(language).ok_page,
        language=language,
        preview=_preview(owner),
    )


def approve(visit: PageVisit) -> Response:
    """Say ok, or what should be different; this is the only thing that changes anything."""
    here = visit.house.here
    owner = ok_link.who_was_asked(here, visit.params["token"])
    if owner is None:
        return _unknown(visit)
    said = _said(visit, owner)
    language = said.language if said else owner.project.rules.language
    page = phrases(language).ok_page
    became = ok_link.what_became(here, owner)
    if became is not None:
        return _over(visit, owner, became, language)
    if "words" in visit.form:
        reply_by_link.reply(here, owner, visit.form["words"])
        return _told(visit, owner, page["sent"], language)
    try:
        ok_link.say_ok(here, owner)
    except Refused:
        return _told(visit, owner, page["taken"], language)
    return _told(visit, owner, page["done"], language)


def picture(visit: PageVisit) -> Response:
    """Hand out one of the pictures that the mail has shown too."""
    owner = ok_link.who_was_asked(visit.house.here, visit.params["token"])
    said = _said(visit, owner) if owner else None
    shown = [each for scene in said.scenes for each in scene.pictures] if said else []
    number = visit.params["number"]
    if not number.isdecimal() or not 0 < int(number) <= len(shown):
        return _unknown(visit)
    found = shown[int(number) - 1]
    return Response(found.content, media_type=f"image/{found.subtype}", headers=_HARMLESS)


def _said(visit: PageVisit, owner: LinkOwner) -> WordedLetter | None:
    letter = ok_link.letter_of(visit.house.here, owner)
    return visit.house.here.writer.say(letter, with_link=False) if letter else None


def _preview(owner: LinkOwner) -> str:
    return owner.job.journal.preview


def _over(visit: PageVisit, owner: LinkOwner, became: str, language: str) -> Response:
    """Tell what became of it, in the words of the mail that would tell it."""
    told = wording(became, spoken(language), {"approvers": ""})
    return visit.shows("ok_told.html", _GONE, site=owner.project.name, words=told, text="", language=spoken(language))


def _told(visit: PageVisit, owner: LinkOwner, text: str, language: str) -> Response:
    return visit.shows("ok_told.html", site=owner.project.name, words=None, text=text, language=language)


def _unknown(visit: PageVisit) -> Response:
    language = spoken(visit.house.here.config.language)
    text = phrases(language).ok_page["unknown"]
    return visit.shows("ok_told.html", 404, site="WebOrdinary", words=None, text=text, language=language)


PAGES = (
    PageRoute("GET", "/ok/{token}", show, role=None),
    PageRoute("POST", "/ok/{token}", approve, role=None),
    PageRoute("GET", "/ok/{token}/pictures/{number}", picture, role=None),
)
