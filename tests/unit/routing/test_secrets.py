"""The names of secrets, and what a person reads about a file that cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.errors import Misconfigured
from webordinary.routing.secrets import check_secret_name, is_secret_name, read_named_file

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", ["a", "amelia-git", "0" * 64])
def test_a_plain_name_is_the_name_of_a_secret(name: str) -> None:
    assert is_secret_name(name)
    assert check_secret_name(name) == name


@pytest.mark.parametrize("name", ["", "-a", "a-", "A", "a/b", "..", "a.b", "a\n", "0" * 65])
def test_a_name_that_could_lead_elsewhere_is_refused_with_the_rule(name: str) -> None:
    assert not is_secret_name(name)
    with pytest.raises(Misconfigured, match="lower-case letters, digits and inner hyphens"):
        check_secret_name(name)


def test_a_file_that_cannot_be_read_is_told_with_the_reason(tmp_path: Path) -> None:
    kept = tmp_path / "key"
    kept.write_text("geheim ü", encoding="utf-8")
    assert read_named_file(kept, str) == "geheim ü"

    kept.write_bytes(b"\xff\xfe")
    with pytest.raises(Misconfigured, match=r"^Because it is not UTF-8 text$"):
        read_named_file(kept, "Because {}".format)
    with pytest.raises(Misconfigured, match=r"^Because No such file or directory$"):
        read_named_file(tmp_path / "nothing", "Because {}".format)
