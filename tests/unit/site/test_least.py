"""The hunks of a change and which of them a request needs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webordinary.site.checks.finding import Finding, Problem
from webordinary.site.checks.neighbours import stems_of
from webordinary.site.checks.request import Asked
from webordinary.site.least.extra import FileChange, RequestTopic, find_overedit
from webordinary.site.least.hunks import Hunk, find_hunks, put_together
from webordinary.site.least.smaller import is_no_worse, keeps_what_was_asked, says_what_was_asked
from webordinary.site.receipt.changes import PageChange, Receipt, TextChange

PIECES = st.sampled_from(
    [
        "<li>",
        "</li>",
        "<b class='x' id=\"y\">",
        "</b>",
        "Rye bread.",
        "4.20",
        " ",
        "\n  ",
        "<!-- a -->",
        "<",
        "A & B",
        "<br/>",
    ]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)
MAIL = "The rye bread costs 4.50 now."


def topic(text: str = MAIL, **known: object) -> RequestTopic:
    return RequestTopic(Asked(text), stems_of(text), **known)  # type: ignore[arg-type]  # whatever a test knows


def differing(before: str, after: str) -> list[Hunk]:
    return [hunk for hunk in find_hunks(before, after) if hunk.differs]


@given(TEXTS, TEXTS)
def test_the_hunks_together_are_both_texts(before: str, after: str) -> None:
    hunks = find_hunks(before, after)
    assert put_together(hunks, ()) == after
    assert put_together(hunks, range(len(hunks))) == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>Rye</p>\n", "<p>Rye</p>"),
        ("<p>Rye</p>", "  <p>Rye</p>\r\n"),
        ("<a href='x' class=y>Rye</a>", '<a class="y" href="x">Rye</a>'),
        ("<br>Rye", "<br />Rye"),
        ("Caf&eacute; &ndash; rye", "Café – rye"),
        ("<p>Rye</p><!-- Tom -->", "<p>Rye</p>"),
        ("Rye and\nwheat", "Rye\nand wheat"),
        ("\ufeffRye", "Rye"),
    ],
)
def test_how_a_text_is_written_is_form(before: str, after: str) -> None:
    assert all(hunk.is_form for hunk in differing(before, after))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>Rye</p>", "<p>Wheat</p>"),
        ("<a href='x'>Rye</a>", "<a href='z'>Rye</a>"),
        ("<p>Rye</p>", "<!-- <p>Rye</p> -->"),
        ('<p class="{{ a }}">', '<p class="{{ b }}">'),
        ("4.20", "4.50"),
    ],
)
def test_what_a_text_says_is_no_form(before: str, after: str) -> None:
    assert not any(hunk.is_form for hunk in differing(before, after))


def test_a_sentence_is_a_hunk_of_its_own() -> None:
    found = differing("Rye is 4.20. All fresh. Come in.", "Rye is 4.50. All fresh. Do come in.")
    assert [(hunk.before, hunk.after) for hunk in found] == [
        ("Rye is 4.20.", "Rye is 4.50."),
        ("Come in.", "Do come in."),
    ]


def test_rows_that_came_are_whole_elements_each() -> None:
    found = differing("<ul><li>A</li></ul>", "<ul><li>B</li><li>C</li><li>A</li></ul>")
    assert [hunk.after for hunk in found] == ["<li>B</li>", "<li>C</li>"]


def test_a_long_text_is_taken_as_it_is() -> None:
    before = "\n".join(f"<p>{number}</p>" for number in range(4000))
    assert len(differing(before, before.replace("<p>", "<p> a "))) == 1


def over(before: str, after: str, mail: str = MAIL) -> list[tuple[str, str]]:
    change = FileChange("menu.html", before.encode(), after.encode())
    return [(extra.before, extra.after) for extra in find_overedit(topic(mail), [change]).extras()]


ROWS = "<p>Rye bread</p><p>4.20</p>\n<p>Baguette</p><p>2.10</p>\n<p>We are open.</p>"


def test_what_shares_nothing_with_the_request_is_extra() -> None:
    after = ROWS.replace("4.20", "4.50").replace("2.10", "2.20").replace("We are open.", "Welcome!")
    assert over(ROWS, after) == [("2.10", "2.20"), ("We are open.", "Welcome!")]


def test_nothing_is_extra_where_a_clause_is_not_answered() -> None:
    after = ROWS.replace("4.20", "4.50").replace("We are open.", "Welcome!")
    assert over(ROWS, after, f"{MAIL} And a warmer greeting, please.") == []


def test_nothing_is_extra_where_nothing_is_recognised() -> None:
    assert over(ROWS, ROWS.replace("We are open.", "Welcome!"), "Make it friendlier.") == []


def test_a_greeting_and_a_name_ask_for_nothing() -> None:
    after = ROWS.replace("4.20", "4.50").replace("We are open.", "Welcome!")
    assert over(ROWS, after, f"Dear Tom,\n\n{MAIL}\n\nKind regards\nAmelia Baker") == [("We are open.", "Welcome!")]


def test_files_of_the_mail_are_never_extra() -> None:
    changes = [FileChange("images/oven.jpg", None, b"\xff\xd8"), FileChange("menu.html", ROWS.encode(), b"4.50")]
    found = find_overedit(topic(brought=frozenset({"images/oven.jpg"})), changes)
    assert "images/oven.jpg" not in {extra.path for extra in found.extras()}


def test_with_files_in_the_mail_no_picture_is_known_to_be_extra() -> None:
    changes = [
        FileChange("small.jpg", None, b"\0\xff"),
        FileChange("menu.html", ROWS.encode(), ROWS.replace("4.20", "4.50").encode()),
    ]
    assert find_overedit(topic(has_files=True), changes).extras() == ()
    assert [extra.path for extra in find_overedit(topic(), changes).extras()] == ["small.jpg"]


def test_too_many_files_are_left_as_they_are() -> None:
    changes = [FileChange(f"{number}.html", b"a", b"a ") for number in range(101)]
    assert find_overedit(topic(), changes).extras() == ()


def receipt(*words: tuple[str, str], files_added: tuple[str, ...] = (), files_gone: tuple[str, ...] = ()) -> Receipt:
    return Receipt(
        (PageChange("menu.html", "Menu", tuple(TextChange(*each) for each in words)),),
        files_added=files_added,
        files_gone=files_gone,
    )


def test_a_smaller_change_lacks_only_what_nobody_asked_for() -> None:
    asked, extra = ("4.20", "4.50"), ("We are open.", "Welcome!")
    whole = receipt(asked, extra)
    assert keeps_what_was_asked(topic(), whole, receipt(asked))
    assert not keeps_what_was_asked(topic(), whole, receipt(extra))
    assert not keeps_what_was_asked(topic(), whole, receipt())
    assert not keeps_what_was_asked(topic(), whole, receipt(asked, ("Bye.", "Bye!")))
    assert not keeps_what_was_asked(topic(), whole, receipt(asked, files_gone=("a.pdf",)))


def test_a_picture_that_somebody_may_mean_is_not_lost() -> None:
    whole = receipt(("4.20", "4.50"), files_added=("rye.jpg", "sky.jpg"))
    assert keeps_what_was_asked(topic(), whole, receipt(("4.20", "4.50"), files_added=("rye.jpg",)))
    assert not keeps_what_was_asked(topic(), whole, receipt(("4.20", "4.50"), files_added=("sky.jpg",)))
    assert not keeps_what_was_asked(topic(has_files=True), whole, receipt(("4.20", "4.50"), files_added=("rye.jpg",)))


def test_a_page_with_its_name_again_says_the_same() -> None:
    moved = Receipt(
        pages_added=("our-menu.html",),
        pages_gone=("menu.html",),
        beside=(PageChange("our-menu.html", "", (TextChange("", "Rye bread 4.50"),)),),
    )
    assert says_what_was_asked(topic(), moved, receipt(("Rye bread 4.20", "Rye bread 4.50")))
    assert not says_what_was_asked(topic(), moved, receipt(("Rye bread 4.20", "Rye bread 4.40")))


def test_a_smaller_change_may_not_be_worse() -> None:
    missing, unasked, other = (
        Finding(Problem.MISSING, "4.50"),
        Finding(Problem.UNASKED, "a → b"),
        Finding(Problem.UNASKED, "c → d"),
    )
    assert is_no_worse([unasked], [])
    assert is_no_worse([unasked], [other])
    assert not is_no_worse([unasked], [missing])
    assert not is_no_worse([unasked], [unasked, other])


def test_what_is_told_of_a_page_in_an_old_encoding_can_be_written_down() -> None:
    changes = [
        FileChange("menu.html", b"<p>4.20</p>", b"<p>4.50</p>"),
        FileChange("old.html", "<p>Käse</p>".encode("latin-1"), "<p>Brötchen</p>".encode("latin-1")),
    ]
    found = find_overedit(topic("It costs 4.50 now."), changes)
    (extra,) = found.extras()
    told = [extra.before, extra.after, *found.in_short(found.unasked)]
    assert [each.encode().decode() for each in told] == ["K�se", "Br�tchen", "old.html: K�se → Br�tchen"]
    # The file itself becomes what it was, byte by byte.
    assert found.without(found.unasked) == {"old.html": changes[1].before}
