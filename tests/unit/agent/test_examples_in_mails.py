"""Every example that our mails give is one that the built-in agent follows, in each language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from webordinary.agent.scripted.carry_out import ScriptedRequest, carry_out
from webordinary.agent.scripted.instruction import PlacePicture, RequestPicture
from webordinary.agent.scripted.understand import understand
from webordinary.languages import codes
from webordinary.mail.words.shown import descriptions
from webordinary.reply.words import templates_folder

if TYPE_CHECKING:
    from pathlib import Path

# An item of a list that is neither a fact nor one of the words that need no agent.
_ITEM = re.compile(r"^- ([^$`\n]+)$", re.MULTILINE)
_QUOTED = re.compile(r"[“„«]\s?([^”“»]+?)\s?[”“»]\s*\Z")
_IN_ALL = 7


def examples(language: str) -> list[str]:
    folder = templates_folder() / language
    listed = [
        text for kind in ("help", "welcome") for text in _ITEM.findall((folder / f"{kind}.txt").read_text("utf-8"))
    ]
    return [*listed, *_QUOTED.findall((folder / "not_understood.txt").read_text("utf-8"))]


@pytest.mark.parametrize("language", codes())
def test_the_built_in_agent_follows_every_example(language: str) -> None:
    found = examples(language)

    assert len(found) == _IN_ALL
    lost = [said.words for text in found for said in understand(text) if not said.instructions]
    assert not lost
    assert all(understand(text) for text in found)


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("Setzen Sie das Foto auf die Seite „Über uns“.", "Über uns"),
        ("Bitte dieses Bild auf die Seite Team stellen.", "Team"),
        ("Mettez cette photo sur la page « À propos », s’il vous plaît.", "À propos"),
        ("Por favor, ponga esta foto en la página «Quiénes somos».", "Quiénes somos"),
        ("Per favore, metta questa foto sulla pagina «Chi siamo».", "Chi siamo"),
        ("Zet deze foto graag op de pagina “Over ons”.", "Over ons"),
    ],
)
def test_a_photo_is_put_on_a_page_in_each_language(words: str, page: str) -> None:
    (said,) = understand(words)

    assert [wish.page for wish in said.instructions if isinstance(wish, PlacePicture)] == [page]


@pytest.mark.parametrize("language", codes())
def test_the_answer_that_is_proposed_for_a_photo_is_understood(language: str, tmp_path: Path) -> None:
    (proposed,) = _QUOTED.findall((templates_folder() / language / "photo_wordless.txt").read_text("utf-8"))
    for name in ("about.html", "contact.html", "contacto.html", "contatti.html", "über-uns.html"):
        (tmp_path / name).write_text("<main><p>Hello.</p></main>")
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff")
    about = descriptions(proposed, ("photo.jpg",))["photo.jpg"]
    photo = RequestPicture("photo.jpg", str(tmp_path / "photo.jpg"), "image/jpeg", about)
    result = carry_out(ScriptedRequest(proposed, (photo,)), tmp_path, lambda _: None)
    assert result.stopped == "done", result.summary
    assert "did not understand" not in result.summary
    assert result.undescribed == ()
