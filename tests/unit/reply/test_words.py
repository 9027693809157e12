"""What our mails say: whole in every language, with no hole and no raw template, whatever the facts are."""

from __future__ import annotations

import ast
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tree import PACKAGE, place, python_files, syntax
from webordinary.jobs.job import Attached, FileKind, FileProblem, State
from webordinary.languages import codes
from webordinary.mail.words.quoting import MARKER_LINES, marker_line, own_words
from webordinary.mail.words.verbs import is_yes, read_verb
from webordinary.reply.as_html import Frame, as_html
from webordinary.reply.as_text import as_text
from webordinary.reply.attached import files_fact
from webordinary.reply.blocks import Shape, fact_names, read_template
from webordinary.reply.kinds import KINDS, Tone
from webordinary.reply.language import detect_language
from webordinary.reply.words import phrases, spoken, template, templates_folder, wording
from webordinary.site.checks.guard import Limit
from webordinary.site.checks.run import Finding
from webordinary.site.checks.run import Problem as Found
from webordinary.workspace.extent import Bound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def for_every_kind(test: Callable[[str, str], None]) -> Callable[[str], None]:
    """Ask every kind of mail in one test a language: thousands of small tests take longer to collect than to run."""

    @pytest.mark.parametrize("language", codes())
    def of_a_language(language: str) -> None:
        for kind in KINDS:
            test(kind, language)

    return of_a_language


def text_of(kind: str, language: str, **facts: str) -> str:
    return as_text(wording(kind, language, facts), phrases(spoken(language)))


def html_of(kind: str, language: str, **facts: str) -> str:
    frame = Frame(language, "Amelia's Bakery", KINDS[kind].tone, "Done", marker_line(language), "Just reply.")
    return as_html(wording(kind, language, facts), frame)


@pytest.mark.parametrize("language", codes())
def test_every_kind_has_its_words_and_every_text_is_used(language: str) -> None:
    found = {each.name for each in (templates_folder() / language).iterdir()}
    assert found == {f"{kind}.txt" for kind in KINDS} | {"phrases.toml"}


@for_every_kind
def test_a_text_tells_the_facts_of_its_kind_and_no_others(kind: str, language: str) -> None:
    text = template(kind, language)
    needed = {name for each in text.paragraphs if not each.is_optional for name in each.facts}
    optional = {name for each in text.paragraphs if each.is_optional for name in each.facts}
    assert needed | fact_names(text.subject or "") == KINDS[kind].needs
    assert optional - needed == KINDS[kind].may_tell


@for_every_kind
def test_all_languages_say_the_same_in_the_same_order(kind: str, language: str) -> None:
    def outline(language: str) -> list[tuple[bool, frozenset[str], int]]:
        return [(each.is_optional, each.facts, each.text.count("\n")) for each in template(kind, language).paragraphs]

    assert outline(language) == outline("en")
    assert (template(kind, language).subject is None) == (template(kind, "en").subject is None)


@for_every_kind
def test_mails_are_whole_with_and_without_what_they_may_tell(kind: str, language: str) -> None:
    for names in (KINDS[kind].needs, KINDS[kind].needs | KINDS[kind].may_tell):
        facts = dict.fromkeys(names, "costs $5 & ${more} `x` <b>")
        for shown in (text_of(kind, language, **facts), html_of(kind, language, **facts)):
            assert re.search(r"\$(?!5|\{more)", shown) is None
            assert "{}" not in shown
    assert len(text_of(kind, language, **dict.fromkeys(KINDS[kind].needs, "x"))) > 60


@pytest.mark.parametrize("kind", [kind for kind in KINDS if KINDS[kind].needs])
def test_a_fact_that_is_needed_and_missing_is_a_mistake_of_ours(kind: str) -> None:
    with pytest.warns(RuntimeWarning, match="lacks"):
        text = text_of(kind, "en")
    assert "$" not in text


def test_a_fact_that_nobody_gave_takes_its_paragraph_along() -> None:
    words = text_of("failed", "en", reason=" ")
    assert "The reason" not in words
    assert "exactly as it was before" in words


def test_a_kind_without_words_is_a_mistake_of_ours() -> None:
    with pytest.raises(LookupError, match="There are no words"):
        wording("nonsense", "en", {})


@pytest.mark.parametrize("language", ["xx", "pt-BR", "", "../..", "EN_us"])
def test_a_language_without_words_is_answered_in_english(language: str) -> None:
    assert spoken(language) == "en"
    assert text_of("stopped", language).startswith("I have stopped")


def test_a_published_change_is_named_and_linked() -> None:
    facts = {
        "summary": "New hours.",
        "address": "https://bakery.example/",
        "changes": "file_changed\ta.html\nfile_added\tb c.png",
    }
    assert text_of("published", "en", **facts).split("\n\n")[1:4] == [
        "This is what changed:\n- a.html was changed\n- b c.png is new",
        "A note by the program that made the change, in its own words:\n    New hours.",
        "See it on your site:\nhttps://bakery.example/",
    ]


def test_choices_are_numbered() -> None:
    words = text_of("question", "es", question="¿Qué foto?", choices="la primera\nla segunda")
    assert "1. la primera\n2. la segunda" in words
    assert "<ol><li>la primera</li><li>la segunda</li></ol>" in re.sub(
        r' style="[^"]*"', "", html_of("question", "es", question="¿Qué foto?", choices="la primera\nla segunda")
    )


@pytest.mark.parametrize("language", codes())
def test_every_state_and_every_problem_has_its_phrase(language: str) -> None:
    known = phrases(language)
    ended_badly = {State.REFUSED, State.DEAD}
    # Beside the states of a job: a proposal and its ends, a question and the moments of a timed change.
    more = {"proposed", "proposed_to_you", "asked", "undone", "unpublished", "publish_at", "revert_at"}
    more |= {"was_proposed", "was_planned"}
    assert set(known.states) == {state.value for state in State if state not in ended_badly} | more
    assert set(known.problems) == {problem.value for problem in FileProblem if problem}
    assert set(known.tones) == {tone.value for tone in Tone}
    assert (len(known.days), len(known.months)) == (7, 12)


@for_every_kind
def test_every_word_that_a_person_is_told_to_reply_with_is_understood(kind: str, language: str) -> None:
    if KINDS[kind].tone is Tone.AGENCY:
        return
    words = wording(kind, language, dict.fromkeys(KINDS[kind].needs, "x"))
    keys = [
        span.text for part in words.paragraphs for block in part for line in block.lines for span in line if span.is_key
    ]
    understood = is_yes if kind in {"confirm", "confirm_unclear"} else read_verb
    assert [key for key in keys if not understood(key)] == []


def test_files_are_told_as_used_kept_or_refused() -> None:
    files = (
        Attached("team.jpg", "image/jpeg", "1", FileKind.PHOTO),
        Attached("menu.pdf", "application/pdf", "2", FileKind.DOCUMENT),
        Attached("logo.png", "image/png", "", FileKind.SKIPPED),
        Attached("film.mov", "video/mp4", "", FileKind.REFUSED, problem=FileProblem.TOO_LARGE, limit="20 MB"),
    )
    fact = files_fact(files, {"team.jpg"})
    words = text_of("published", "de", address="https://x.example/", files=fact)
    assert "- team.jpg: verwendet\n- menu.pdf: aufgehoben, nicht verwendet\n" in words
    assert "- film.mov: nicht verwendet (die Datei ist zu groß, höchstens 20 MB)\n" in words
    assert "logo" not in words


def test_requests_are_told_with_their_state() -> None:
    words = text_of("status", "fr", requests="running\tHoraires\nrefused\t\ndone\ta\tb")
    assert (
        "- «\xa0Horaires\xa0» est en cours\n- Un message sans objet n’a pas pu être fait\n- «\xa0a b\xa0» est fait"
        in words
    )


def test_a_day_is_told_as_people_say_it() -> None:
    assert "Dienstag, 3. November 2026" in text_of("digest", "de", day="2026-11-03")


class Tags(HTMLParser):
    """Notes the tags and where links and pictures lead."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.leads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.leads += [value or "" for name, value in attrs if name in {"href", "src", "background"}]


def tags_of(page: str) -> Tags:
    found = Tags()
    found.feed(page)
    return found


@given(text=st.text())
def test_no_fact_becomes_markup(text: str) -> None:
    plain = tags_of(html_of("published", "en", address="https://x.example/", summary="x", changes="y"))
    found = tags_of(html_of("published", "en", address="https://x.example/", summary=f"x{text}", changes=f"y{text}"))
    assert {tag for tag in found.tags if tag not in {"br", "li"}} == {tag for tag in plain.tags if tag != "li"}
    assert found.leads == plain.leads


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", '"><script>x</script>'])
def test_an_address_that_is_none_is_shown_and_not_linked(address: str) -> None:
    found = tags_of(html_of("published", "en", address=address))
    assert "script" not in found.tags
    assert found.leads == []


@for_every_kind
def test_nothing_in_a_page_has_to_be_fetched(kind: str, language: str) -> None:
    page = html_of(kind, language, **dict.fromkeys(KINDS[kind].needs, "x"))
    assert tags_of(page).leads == []
    assert "url(" not in page
    assert "@import" not in page
    # Gmail shows only the beginning of mails of more than 102 KB.
    assert len(page) < 30_000


def test_a_link_must_name_its_address() -> None:
    with pytest.raises(ValueError, match="a link is written"):
        read_template("x", "@ nowhere").fill({})


def test_a_template_knows_its_shapes() -> None:
    text = read_template("x", "Subject: Hi $who\n\n# Title\n\nlead:\n- $items\n\n> a\n> b\n\n~ small")
    words = text.fill({"who": "you", "items": "one\ntwo"})
    assert words.subject == "Hi you"
    assert [[block.shape for block in blocks] for blocks in words.paragraphs] == [
        [Shape.TITLE],
        [Shape.TEXT, Shape.ITEMS],
        [Shape.QUOTE],
        [Shape.NOTE],
    ]
    assert len(words.paragraphs[1][1].lines) == 2


@pytest.mark.parametrize("marker", MARKER_LINES)
def test_a_reply_ends_at_the_marker_of_every_language(marker: str) -> None:
    said = f"Gerne am Dienstag.\n\n> {marker}\n>\n> Erledigt."
    assert own_words(said, is_reply=True).kept == "Gerne am Dienstag."
    assert marker.isascii()
    assert len(marker) < 70


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("we open at nine now", "en"),
        ("Please put the photo on the first page.", "en"),
        ("Ab Montag öffnen wir um neun statt um zehn.", "de"),
        ("Bitte neue Telefonnummer 030 23125 auf jeder Seite", "de"),
        ("À partir de lundi, nous ouvrons à neuf heures.", "fr"),
        ("Notre numéro est le 01 55 01 99 00", "fr"),
        ("Desde el lunes abrimos a las nueve", "es"),
        ("Nuestro teléfono es ahora 910 55 01 99", "es"),
        ("Apriamo alle nove, grazie", "it"),
        ("Abrimos às nove, obrigado", None),
        ("Wij zijn nu open vanaf negen uur", "nl"),
        ("Foto de la entrada de abajo", None),
        ("Od poniedziałku otwieramy o dziewiątej", None),
        ("ok", None),
        ("030 23125 200", None),
        ("", None),
        ("Bitte see the attached photo and und the Seite", None),
    ],
)
def test_the_language_of_a_request_is_told_by_its_small_words(text: str, language: str | None) -> None:
    assert detect_language(text) == language


@for_every_kind
def test_every_mail_is_written_in_the_language_that_it_claims(kind: str, language: str) -> None:
    assert detect_language(text_of(kind, language, **dict.fromkeys(KINDS[kind].needs, "x"))) in {language, None}


def said_in(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the kinds that a module names where it ends a job or answers a mail."""
    for found in ast.walk(syntax(file)):
        if not isinstance(found, ast.Call):
            continue
        for keyword in found.keywords:
            if keyword.arg in {"words", "answer"}:
                value = keyword.value
                for each in (value.body, value.orelse) if isinstance(value, ast.IfExp) else (value,):
                    if isinstance(each, ast.Constant) and isinstance(each.value, str):
                        yield place(file, found), each.value


@pytest.mark.thorough
def test_every_answer_that_the_program_gives_has_words() -> None:
    said = [each for file in python_files(PACKAGE) for each in said_in(file)]
    assert len(said) > 15
    assert [(where, words) for where, words in said if words and words not in KINDS] == []


def test_french_signs_never_stand_alone_at_the_beginning_of_a_line() -> None:
    folder = templates_folder() / "fr"
    texts = {each.name: each.read_text(encoding="utf-8") for each in folder.iterdir()}
    assert [name for name, text in texts.items() if re.search(r"(?<=\S) [?!;:»]|« ", text)] == []


def test_no_words_are_kept_that_nobody_says() -> None:
    named = {
        each.value
        for file in python_files(PACKAGE)
        if file.name != "kinds.py"
        for each in ast.walk(syntax(file))
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }
    assert set(KINDS) - named == set()


@pytest.mark.parametrize("language", codes())
def test_every_reason_to_ask_first_and_every_change_is_told_in_every_language(language: str) -> None:
    known, english = phrases(language), phrases("en")
    asked = {problem.value for problem in Found if Finding(problem, "").needs_ok} | {limit.value for limit in Limit}
    asked |= {bound.value for bound in Bound} | {"more"}
    assert set(known.reasons) == asked | {"approve", "moved"}
    assert set(known.changes) == set(english.changes)
    for told in (known.reasons, known.changes):
        assert language == "en" or not set(told.values()) & {*english.reasons.values(), *english.changes.values()}
        assert all(told[name].count("{}") == {**english.reasons, **english.changes}[name].count("{}") for name in told)
