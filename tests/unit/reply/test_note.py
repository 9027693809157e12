"""An agent's words in our mails are its own: marked, short, and nothing but plain sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webordinary.languages import codes
from webordinary.reply.as_text import as_text
from webordinary.reply.kinds import KINDS
from webordinary.reply.tell import note_of
from webordinary.reply.words import phrases, template, wording


@pytest.mark.parametrize(
    ("said", "note"),
    [
        ("The hours are 9:00–18:00 now.", "The hours are 9:00–18:00 now."),
        ("**Done!** Cake costs 4.80 € (was 4.50 €).", "Done! Cake costs 4.80 € (was 4.50 €)."),
        ("Jetzt steht dort „ab 9 Uhr“, z.B. montags.", "Jetzt steht dort „ab 9 Uhr“, z.B. montags."),
        ("L’horaire d’été est à jour.", "L’horaire d’été est à jour."),
        ("- The phone number is new.\n- So is the fax.", "The phone number is new. So is the fax."),
        ("All good. Pay here: https://evil.example/pay now.", "All good."),
        ("See evil.example for more. The rest is as before.", "The rest is as before."),
        ("Ask boss@evil.example. It is done.", "It is done."),
        ("I edited src/pages/index.html and ran it. It is done.", "It is done."),
        ("It is done.\n```python\nprint('x')\n```", "It is done."),
        ("Traceback (most recent call last):\n  File \"/srv/x.py\", line 3, in f\nKeyError: 'hours'", ""),
        ("    at render (/srv/node_modules/x.js:3:14)\nTypeError: x is not a function", ""),
        ("Run `npm run build` first.", ""),
        ("<b>Hello</b> you.", ""),
        ("", ""),
        ("…", ""),
    ],
)
def test_only_plain_sentences_are_kept(said: str, note: str) -> None:
    assert note_of(said) == note


@pytest.mark.parametrize(
    ("said", "note"),
    [
        ("We open at 9 now. The cake costs 4.80 €.", "We open at 9 now."),
        ("I have made the baguette £2.20.", ""),
        ("The hours are new on two pages.", "The hours are new on two pages."),
        ("Now it is 09:00.", "Now it is 09:00."),
    ],
)
def test_a_sentence_with_a_number_that_did_not_change_is_not_repeated(said: str, note: str) -> None:
    assert note_of(said, "words\tContact\tOpen 8:00\tOpen 9:00") == note


def test_a_long_story_is_shortened() -> None:
    assert len(note_of("And then the baker went home. " * 100)) <= 280
    assert note_of("word " * 200).endswith("…")


@given(said=st.text(alphabet=st.sampled_from("ab A.:/@\\_`<>(){}\n'9#*-~…"), max_size=200))
def test_no_link_and_no_path_is_left_in_a_note(said: str) -> None:
    note = note_of(said)
    assert not set(note) & set("@\\_`<>{}#~\n")
    assert "//" not in note


@pytest.mark.parametrize("language", codes())
@pytest.mark.parametrize("kind", [kind for kind in KINDS if "summary" in KINDS[kind].may_tell])
def test_the_words_of_an_agent_stand_below_ours_and_say_whose_they_are(kind: str, language: str) -> None:
    names = [name for each in template(kind, language).paragraphs for name in each.facts]
    assert names.index("summary") > max(names.index(name) for name in ("changes", "missing", "files") if name in names)
    facts = dict.fromkeys(KINDS[kind].needs, "x")
    words = as_text(wording(kind, language, {**facts, "summary": "All is new."}), phrases(language))
    plain = as_text(wording(kind, language, {**facts, "summary": "https://evil.example/"}), phrases(language))
    marked = next(part for part in words.split("\n\n") if "All is new." in part)
    assert marked.endswith(":\n    All is new.")
    assert plain == as_text(wording(kind, language, facts), phrases(language))


def test_an_agent_is_not_quoted_where_nothing_changed() -> None:
    assert "summary" not in KINDS["nothing_changed"].may_tell


@pytest.mark.parametrize("language", codes())
def test_nobody_is_asked_for_a_number_where_there_is_no_choice(language: str) -> None:
    asked = as_text(wording("question", language, {"question": "Which?"}), phrases(language))
    chosen = as_text(wording("question", language, {"question": "Which?", "choices": "this\nthat"}), phrases(language))
    assert len(chosen.split("\n\n")) == len(asked.split("\n\n")) + 1
    assert "\n1. this\n2. that" in chosen
