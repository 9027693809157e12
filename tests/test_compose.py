"""The compose file, as far as it can be shown without a container engine: read, and held against image and program."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import yaml  # type: ignore[import-untyped]  # it has no types, and is read in one line

from tests.test_image import DOCKERFILE, steps
from tests.tree import ROOT
from webordinary.cli.reference import commands
from webordinary.config.environment import variables
from webordinary.jobs.limits import Limits

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
# What the Compose Specification calls them; a misspelled key would be refused by docker, and there is none here.
KNOWN = {
    "cap_drop", "command", "environment", "image", "init", "network_mode", "pull_policy", "restart", "security_opt",
    "stop_grace_period", "volumes",
}  # fmt: skip


def test_the_service_is_written_in_words_that_compose_knows() -> None:
    assert set(COMPOSE) == {"name", "services", "volumes"}
    assert set(COMPOSE["services"]) == {"webordinary"}
    assert set(COMPOSE["services"]["webordinary"]) <= KNOWN


def test_it_runs_what_the_image_has_without_any_right() -> None:
    service = COMPOSE["services"]["webordinary"]
    place = re.search(r"WORKSPACE_PATH=(\S+)", DOCKERFILE.read_text())
    maker = (ROOT / "packages" / "image").read_text()

    assert place is not None
    assert service["volumes"] == [f"data:{place[1]}"]
    assert set(COMPOSE["volumes"]) == {"data"}
    assert service["environment"]["WEBORDINARY_CONFIG"] == f"{place[1]}/webordinary.toml"
    assert service["image"] == "webordinary:${VERSION:-latest}"
    assert "name=${push:-webordinary}" in maker
    assert '--tag "$name:latest"' in maker
    assert (service["cap_drop"], service["security_opt"]) == (["ALL"], ["no-new-privileges:true"])
    assert len(steps("HEALTHCHECK")) == 1


def test_its_command_and_its_variables_exist() -> None:
    service, text = COMPOSE["services"]["webordinary"], (ROOT / "compose.yaml").read_text()
    named = set(re.findall(r"^ *(?:# )?(WEBORDINARY_\w+):", text, re.MULTILINE)) - {"WEBORDINARY_CONFIG"}

    assert " ".join(service["command"]) in {name for name, _ in commands()}
    assert {name.removesuffix("_FILE") for name in named} <= set(variables())


def test_stopping_waits_until_everything_is_drained() -> None:
    patience = timedelta(seconds=int(COMPOSE["services"]["webordinary"]["stop_grace_period"].removesuffix("s")))
    limits = Limits()

    assert patience > limits.drain + limits.drain_committing


def test_the_page_names_commands_that_exist() -> None:
    pages = [(ROOT / "docs" / "howto" / name).read_text() for name in ("container.md", "upgrade.md")]
    typed = re.findall(r"docker compose (?:run|exec) .*?webordinary webordinary (\S+(?: [a-z]+)?)", "\n".join(pages))
    known = {name.removeprefix("webordinary ") for name, _ in commands()}

    assert len(typed) > 5
    assert [words for words in typed if not {words, words.split()[0]} & known] == []
