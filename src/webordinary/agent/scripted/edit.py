"""One instruction carried out on the files of a site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.agent.scripted import (
    edit_hours,
    edit_items,
    edit_names,
    edit_phone,
    edit_pictures,
    edit_price,
    edit_words,
)
from webordinary.agent.scripted.edit_words import unknown_page
from webordinary.agent.scripted.instruction import (
    AddItem,
    AddText,
    ClosedDays,
    Describe,
    Heading,
    HouseNumber,
    InstructionOutcome,
    MailAddress,
    NewPrice,
    NewTitle,
    OpeningHours,
    OtherDay,
    Phone,
    PlacePicture,
    RemoveItem,
    RemoveText,
    Replace,
    RequestPicture,
    Wish,
    shortened,
)
from webordinary.agent.scripted.landing import landing, paragraph
from webordinary.agent.scripted.passages import passages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.agent.scripted.pages import Site


def add_text(site: Site, wish: AddText) -> InstructionOutcome:
    """Add a paragraph after the last one of the page."""
    page = site.page_called(wish.page)
    if page is None:
        return unknown_page(site, wish.page or "home")
    if any(passage.text.split() == wish.text.split() for passage in passages(page)):
        return InstructionOutcome(f"“{shortened(wish.text)}” already stands on {page.label}.")
    site.change(page, [landing(page, [paragraph(page, wish.text)])])
    return InstructionOutcome(f"Added “{shortened(wish.text)}” to {page.label}.", (page.path,))


def edit(  # noqa: C901, PLR0911, PLR0912 - one way out for each kind of wish
    site: Site, wish: Wish, pictures: Sequence[RequestPicture] = (), refused: Sequence[str] = ()
) -> InstructionOutcome:
    """Carry out one instruction; the outcome names every file that was written and no other."""
    match wish:
        case Replace():
            return edit_words.replace_words(site, wish)
        case RemoveText():
            return edit_words.remove_words(site, wish)
        case RemoveItem():
            return edit_items.remove_item(site, wish)
        case AddItem():
            return edit_items.add_item(site, wish)
        case OpeningHours():
            return edit_hours.set_hours(site, wish)
        case ClosedDays():
            return edit_hours.close_days(site, wish)
        case NewTitle():
            return edit_names.set_title(site, wish)
        case Heading():
            return edit_names.set_heading(site, wish)
        case Phone():
            return edit_phone.set_phone(site, wish)
        case MailAddress():
            return edit_words.set_mail_address(site, wish)
        case HouseNumber():
            return edit_words.set_house_number(site, wish)
        case OtherDay():
            return edit_words.set_day(site, wish)
        case NewPrice():
            return edit_price.set_price(site, wish)
        case AddText():
            return add_text(site, wish)
        case PlacePicture():
            return edit_pictures.place_pictures(site, wish, pictures, refused)
        case Describe():
            return edit_pictures.describe_pictures(site, wish)
