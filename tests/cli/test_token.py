"""Tokens are made, listed and removed at the terminal; nobody sees one twice."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.program import Program


def test_a_token_is_shown_once_listed_without_its_secret_and_removed(bakery: Program) -> None:
    secret = bakery.run("token", "add", "shop", "--role", "client", "--project", "amelia").splitlines()[0]
    listed = bakery.run("token", "list", "--json")
    assert secret not in listed
    assert [(each["name"], each["role"], each["projects"]) for each in json.loads(listed)] == [
        ("shop", "client", "amelia")
    ]
    assert "already" in bakery.run("token", "add", "shop", code=1)
    assert "There is no project nobody" in bakery.run(
        "token", "add", "x", "--role", "client", "--project", "nobody", code=1
    )
    assert "opens nothing any more" in bakery.run("token", "remove", "shop")
    assert "There is no token" in bakery.run("token", "list")
