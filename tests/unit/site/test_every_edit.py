"""What the checks say of every small edit is what somebody has read and found right."""

from __future__ import annotations

import json

import pytest

from tests.unit.site.every_edit import EDITED, EDITS, PAGES, STORED, findings_of


@pytest.mark.parametrize("edit", EDITED)
def test_what_is_found_in_an_edit_is_what_was_found_before(edit: str) -> None:
    assert findings_of(edit) == json.loads(STORED.read_text(encoding="utf-8"))[edit]


def test_every_edit_changes_something() -> None:
    assert [name for name, (path, was, now) in EDITS.items() if was not in PAGES[path] or was == now] == []
