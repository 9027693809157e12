"""A kept index answers what a fresh one answers, and what is kept for a change grows with the change."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rigs.kept_indexes import in_memory
from webordinary.site.checks.alarms import find_alarms
from webordinary.site.checks.explained import find_unexplained
from webordinary.site.checks.kept_index import carry_snapshot
from webordinary.site.checks.run import check_change, find_new_leak
from webordinary.site.read.index import digests_of, index_site
from webordinary.site.read.snapshot import KeptPages
from webordinary.site.receipt.changes import take_receipt

if TYPE_CHECKING:
    from webordinary.site.checks.kept_index import IndexKeeper
    from webordinary.site.read.index import SiteIndex

FOOTER = "<footer>Mill Lane 4 · <a href='tel:+442079460018'>020 7946 0018</a> · daily 8:00 – 18:00</footer>"
LEAK = "https://bakery.s3.amazonaws.com/x"


def lay(folder: Path, pages: dict[str, str]) -> Path:
    for old in folder.glob("*"):
        old.unlink()
    for name, html in pages.items():
        (folder / name).write_text(f"<title>{name} | Amelia</title>{html}{FOOTER}", encoding="utf-8")
    return folder


def changed(keeper: IndexKeeper, old: SiteIndex, built: Path) -> SiteIndex:
    """Index a build beside a kept one, as the product does, and keep it."""
    new = index_site(built, like=old, digests=digests_of(built))
    carry_snapshot(old, new)
    return keeper.read(keeper.keep(new))


def findings(request: str, old: SiteIndex, new: SiteIndex) -> list[object]:
    receipt = take_receipt(old, new)
    return [
        receipt,
        *check_change(request, old, new, receipt),
        *find_alarms(request, old, new, receipt),
        *find_unexplained(request, old, new, receipt),
        find_new_leak(old, new),
    ]


PARTS = [
    "<p>Rye bread 4.20 €</p>",
    "<p>Apple cake 4.80 €</p>",
    "<p>Rye bread 4.80 €</p>",
    "<p>We open at 9:00.</p>",
    "<p>We open at 10:00.</p>",
    "<p>Call 030 555 0199</p>",
    "<p>Call 030 555 0100</p>",
    "<a href='b.html'>More</a>",
    "<a href='gone.html'>Gone</a>",
    "<img src='a.svg' alt='A loaf'>",
    "<script src='https://stats.example/x.js'></script>",
    "<a href='https://shop.example/'>Shop</a>",
    f"<p>{LEAK}</p>",
]
SITES = st.dictionaries(
    st.sampled_from(["a.html", "b.html", "c.html", "d.html"]), st.lists(st.sampled_from(PARTS)).map("".join), min_size=1
)
REQUESTS = ["Rye bread costs 4.80 now", "We open at 10", "Our phone is 030 555 0100", "Remove the page c", "Apple cake"]


@pytest.mark.thorough
@given(SITES, SITES, SITES, st.sampled_from(REQUESTS))
def test_whatever_is_asked_a_kept_index_answers_as_a_fresh_one(
    first: dict[str, str], second: dict[str, str], third: dict[str, str], request_: str
) -> None:
    keeper, _ = in_memory()
    with tempfile.TemporaryDirectory() as folder:
        built = lay(Path(folder), first)
        kept = keeper.read(keeper.keep(index_site(built)))
        fresh = index_site(built)
        assert kept == fresh
        for pages in (second, third):
            built = lay(Path(folder), pages)
            was, now = fresh, index_site(built)
            before, kept = kept, changed(keeper, kept, built)
            assert findings(request_, before, kept) == findings(request_, was, now)
            fresh = now


def many(count: int, words: str = "Rye bread 4.20 €") -> dict[str, str]:
    return {f"{number}.html": f"<p>{words}, number {number}</p>" for number in range(count)}


def test_of_a_change_only_the_changed_page_is_kept(tmp_path: Path) -> None:
    keeper, kept = in_memory()
    old = keeper.read(keeper.keep(index_site(lay(tmp_path, many(400)))))
    before = set(kept)
    new = changed(keeper, old, lay(tmp_path, many(400) | {"7.html": "<p>Apple cake 4.80 €</p>"}))
    (added,) = kept.keys() - before
    assert len(kept[added]) < 5_000
    assert list(new.own_pages) == ["7.html"]
    assert new.pages["7.html"].texts[0] == "Apple cake 4.80 €"
    assert new.pages["8.html"].texts[0] == "Rye bread 4.20 €, number 8"


def test_a_base_is_made_anew_when_too_much_lies_beside_it(tmp_path: Path) -> None:
    keeper, kept = in_memory()
    old = keeper.read(keeper.keep(index_site(lay(tmp_path, many(60)))))
    before = len(kept)
    other = many(60) | many(30, "Apple cake 4.80 €")
    del other["59.html"]
    new = changed(keeper, old, lay(tmp_path, other))
    assert len(kept) == before + 2
    assert not new.own_pages
    assert new == index_site(tmp_path)
    assert isinstance(new.pages, KeptPages)
    assert findings("Apple cake 4.80", old, new) == findings("Apple cake 4.80", old, index_site(tmp_path))


@pytest.mark.parametrize("forgotten", ["base", "index"])
def test_what_is_no_longer_kept_is_said(tmp_path: Path, forgotten: str) -> None:
    keeper, kept = in_memory()
    digest = keeper.keep(index_site(lay(tmp_path, many(3))))
    gone = digest if forgotten == "index" else next(each for each in kept if each != digest)
    del kept[gone]
    with pytest.raises(KeyError):
        keeper.read(digest)


def test_an_index_that_was_made_anew_lies_beside_no_snapshot(tmp_path: Path) -> None:
    keeper, _ = in_memory()
    built = lay(tmp_path, {"a.html": "<p>One</p>"})
    old = keeper.read(keeper.keep(index_site(built)))
    fresh = index_site(built)
    carry_snapshot(old, fresh)
    assert fresh.memory == {}
