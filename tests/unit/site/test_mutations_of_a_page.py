"""One thing of a page is changed, several hundred times: the receipt is empty exactly when browsers do the same."""

from __future__ import annotations

from functools import lru_cache

import pytest

from tests.unit.site.mutations import PAGE, SAME, all_changes
from webordinary.site.read.index import SiteIndex
from webordinary.site.read.page_reader import read_page
from webordinary.site.receipt.changes import Receipt, take_receipt

# Something that is told, far from everything else.
TOLD = ("Main Street 1", "Main Street 2")


def receipt_of(before: str | bytes, after: str | bytes) -> Receipt:
    return take_receipt(_site(before), _site(after))


@lru_cache(maxsize=4)
def _site(page: str | bytes) -> SiteIndex:
    return SiteIndex({"index.html": read_page(page)}, {"index.html": str(hash(page))})


def test_there_are_several_hundred_changes_and_each_is_one() -> None:
    changes = dict(all_changes())
    assert len(changes) > 600
    assert PAGE not in changes.values()


@pytest.mark.parametrize(("before", "after"), SAME)
def test_what_browsers_show_and_do_alike_is_no_change(before: str, after: str) -> None:
    assert before in PAGE
    assert receipt_of(PAGE, PAGE.replace(before, after, 1)).is_empty


@pytest.mark.thorough
def test_whatever_changes_is_told() -> None:
    assert [name for name, page in all_changes() if receipt_of(PAGE, page).is_empty] == []


@pytest.mark.thorough
def test_nothing_is_left_out_because_something_else_is_told() -> None:
    told = receipt_of(PAGE, PAGE.replace(*TOLD))
    left_out = [
        name for name, page in all_changes() if TOLD[0] in page and receipt_of(PAGE, page.replace(*TOLD)) == told
    ]
    assert left_out == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>Café".encode(), b"\xef\xbb\xbf" + "<p>Café".encode()),
        ("<p>Café".encode(), "\ufeff<p>Café".encode("utf-16-le")),
        ("<p>Café".encode(), "<p>Café".encode("windows-1252")),
        (b"<meta charset=utf-8><p>Caf\xc3\xa9", b"<meta charset=utf-8><p>Caf&eacute;"),
        (b"<meta charset=iso-8859-1><p>Caf\xe9", b"<meta charset=iso-8859-1><p>Caf&eacute;"),
        (b"<meta charset=iso-8859-1><p>\x80", b"<meta charset=iso-8859-1><p>&euro;"),
        (b"<meta charset=shift_jis><p>\x82\xa0", b"<meta charset=shift_jis><p>&#x3042;"),
    ],
)
def test_letters_are_read_in_the_pages_own_charset(before: bytes, after: bytes) -> None:
    assert receipt_of(before, after).is_empty


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"<meta charset=utf-8><p>Caf\xc3\xa9", b"<meta charset=iso-8859-1><p>Caf\xc3\xa9"),
        (b"<meta charset=iso-8859-1><p>Caf\xe9", b"<meta charset=iso-8859-1><p>Caf\xc3\xa9"),
        (b"<meta charset=utf-8><p>Caf\xc3\xa9", b"<meta charset=utf-8><p>Caf\xe9"),
        (b"<p>Caf\xc3\xa9", b"<p>Caf\xc3\xa8"),
    ],
)
def test_letters_that_become_others_by_their_charset_are_told(before: bytes, after: bytes) -> None:
    assert not receipt_of(before, after).is_empty
