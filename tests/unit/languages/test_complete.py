"""Every language has everything that the program asks of it: words, templates and golden mails."""

from __future__ import annotations

import re
from dataclasses import fields, replace

import pytest

from tests.golden.every_mail import FOLDER, WHOLE
from webordinary.languages import ENGLISH, NOTHING, Language, any_of, known, lacking
from webordinary.mail.words.verbs import Verb, read_verb
from webordinary.reply.kinds import KINDS
from webordinary.reply.words import phrases, template, templates_of

EACH = pytest.mark.parametrize("language", known(), ids=lambda each: each.code)
_PARTS = ("when", "replies", "programs", "letters", "site", "agent")
_STAND_FOR_SOMETHING = re.compile(r"\{(?:days|device|app|thing|where|any|rest|name|capital|ten|unit)\}")


@EACH
def test_no_field_of_a_language_is_left_out(language: Language) -> None:
    assert lacking(language) == []


def test_a_field_that_is_left_out_is_named() -> None:
    replies = replace(ENGLISH.replies, yes="", nth=("first", ""))
    broken = replace(ENGLISH, replies=replies, marker="")
    assert lacking(broken) == ["marker", "replies.yes", "replies.nth"]


@EACH
def test_a_language_has_its_templates_and_its_golden_mails(language: Language) -> None:
    assert {each.name for each in templates_of(language.code).iterdir()} == {f"{kind}.txt" for kind in KINDS} | {
        "phrases.toml"
    }
    assert [kind for kind in KINDS if not template(kind, language.code).paragraphs] == []
    assert (len(phrases(language.code).days), len(phrases(language.code).months)) == (7, 12)
    golden = {each.name for each in (FOLDER / language.code).iterdir()}
    assert golden == {f"{kind}.txt" for kind in KINDS} | {f"{WHOLE}.eml"}


@EACH
def test_rows_of_words_are_as_long_as_they_have_to_be(language: Language) -> None:
    assert (len(language.when.months), len(language.when.weekdays)) == (12, 7)
    assert (len(language.when.counts), len(language.site.few.split())) == (10, 20)
    assert (len(language.replies.nth), len(language.letters.nth_picture)) == (5, 6)
    assert len(language.agent.hour_words.split()) >= 12


@EACH
def test_every_pattern_can_be_compiled(language: Language) -> None:
    for part in _PARTS:
        record = getattr(language, part)
        for field in fields(record):
            for piece in _strings(getattr(record, field.name)):
                re.compile(_STAND_FOR_SOMETHING.sub("x", piece))


@EACH
def test_no_alternative_of_a_pattern_is_empty(language: Language) -> None:
    for part in _PARTS:
        record = getattr(language, part)
        for field in fields(record):
            for piece in _strings(getattr(record, field.name)):
                assert piece == NOTHING or not re.match(r"\||.*\|\||.*\|\Z", piece), f"{part}.{field.name}"


@EACH
@pytest.mark.parametrize("verb", list(Verb))
def test_a_verb_means_the_same_whoever_says_it(language: Language, verb: Verb) -> None:
    words = getattr(language.replies, verb.value).split("|")
    assert [word for word in words if read_verb(word) is not verb] == []


@EACH
def test_a_marker_fits_on_a_line_of_plain_letters(language: Language) -> None:
    assert language.marker.isascii()
    assert len(language.marker) <= 45


def test_each_language_has_its_own_marker() -> None:
    assert len({each.marker for each in known()}) == len(known())


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [text for each in value for text in _strings(each)] if isinstance(value, tuple) else []


def test_a_pattern_of_all_languages_never_matches_nothing() -> None:
    pattern = any_of(lambda each: each.site.half_past_before, lambda each: each.site.half_to_before)
    assert sorted(pattern.split("|")) == ["halb", "half", "half", "half past"]
    assert any_of(lambda _: "") == NOTHING
