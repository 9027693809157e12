"""Receipts of small and large sites, exactly as owners read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.golden.every_receipt import RECEIPTS, path_of, tell, written

if TYPE_CHECKING:
    from pathlib import Path

_LARGE = 1_000


@pytest.mark.parametrize(
    ("pages", "kind", "language"),
    [pytest.param(*each, marks=[pytest.mark.thorough] if each[0] > _LARGE else []) for each in RECEIPTS],
)
def test_a_receipt_is_as_golden_as_before(tmp_path: Path, pages: int, kind: str, language: str) -> None:
    telling = tell(tmp_path, pages)
    assert telling.left_out == 0
    mail = written(tmp_path, telling, kind, language)
    assert mail == path_of(pages, kind, language).read_text(encoding="utf-8")
