"""New paragraphs at the end of a page's own content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.agent.scripted.edit_words import unknown_page
from webordinary.agent.scripted.instruction import AddText, InstructionOutcome, shortened
from webordinary.agent.scripted.landing import landing, paragraph
from webordinary.agent.scripted.passages import passages

if TYPE_CHECKING:
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
