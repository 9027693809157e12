"""What each way for mail to come in writes, and that the program reads it."""

from __future__ import annotations

import os
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from tests.setup.ground import AGENCY, DOMAIN
from webordinary.config import EngineKind
from webordinary.errors import Refused
from webordinary.setup.desk import Desk, Ran
from webordinary.setup.kept import KeptWalk, StepState
from webordinary.setup.steps.dns import look
from webordinary.setup.walk import SetupWalk
from webordinary.setup.ways.way import Records
from webordinary.testing.dns import Zone

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

BEGIN = {"domain": DOMAIN, "agency": AGENCY}
TOKENS = {"user": "website@example.com", "client_id": "an-id", "client_secret": "hunter2-hunter2"}


def walk_in(folder: Path) -> SetupWalk:
    def nobody(words: Sequence[str], *, is_talk: bool) -> Ran:
        raise AssertionError(f"{words} {is_talk} is not run in a test of what is written")

    path = folder / "webordinary.toml"
    return SetupWalk(Desk(path, KeptWalk(path), nobody, os.environ))


def written(walk: SetupWalk, step: str, typed: dict[str, str]) -> dict[str, Any]:
    """Do what a step would, but for its commands; return what the file says then."""
    chosen = walk.find(step)
    taken = walk.take(chosen, typed)
    assert not taken.wrong
    plan = chosen.plan(walk.desk, taken.given)
    shown = "\n".join([*plan.lines(walk.desk), *plan.tells])
    assert "hunter2" not in shown
    for secret in plan.secrets:
        walk.desk.keep_secret(secret.name, secret.content)
    assert plan.text is not None
    walk.desk.write(plan.text)
    walk.note(chosen, StepState.DONE, taken.given)
    assert "hunter2" not in walk.desk.kept.path.read_text() + plan.text
    return tomllib.loads(plan.text)


@pytest.mark.parametrize("way", ["gmail", "microsoft"])
def test_a_mailbox_at_google_or_microsoft_is_read_and_answered_by_one_login(tmp_path: Path, way: str) -> None:
    walk = walk_in(tmp_path)
    said = written(walk, "mail", {**BEGIN, "way": way, **TOKENS})
    login = said["oauth"][0]
    assert login["provider"] == login["name"].replace("gmail", "google")
    assert said["imap"][0]["oauth"] == login["name"]
    assert (tmp_path / login["client_secret_file"]).read_text() == TOKENS["client_secret"]

    said = written(walk, "outgoing", {"letter": ""})
    assert said["outgoing"]["oauth"] == login["name"]
    assert said["outgoing"]["sender"] == TOKENS["user"]
    assert walk.desk.config().outgoing.user == TOKENS["user"]


def test_another_way_replaces_the_keys_of_the_one_before(tmp_path: Path) -> None:
    walk = walk_in(tmp_path)
    written(walk, "mail", {**BEGIN, "way": "gmail", **TOKENS})
    imap = {"way": "imap", "host": "imap.example.com", "user": "me", "password": "hunter2-hunter2"}
    said = written(walk, "mail", {**BEGIN, **imap})
    assert (said["imap"][0]["host"], "oauth" in said["imap"][0]) == ("imap.example.com", False)
    # The mailbox's password opens the outgoing server too, unless another is typed.
    said = written(walk, "outgoing", {"server": "smtp.example.com:465", "letter": ""})
    assert said["outgoing"]["url"] == "smtps://me@smtp.example.com:465"
    assert walk.desk.config().outgoing.read_password() == "hunter2-hunter2"


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ({"provider": "mailgun", "key": "hunter2-hunter2"}, "mailgun_key_file"),
        ({"provider": "postmark"}, "secret_file"),
        ({"provider": "cloudflare"}, "secret_file"),
    ],
)
def test_a_hook_gets_a_secret_that_nobody_sees(tmp_path: Path, typed: dict[str, str], key: str) -> None:
    said = written(walk_in(tmp_path), "mail", {**BEGIN, "way": "hook", "url": "https://edit.example/hook/", **typed})
    secret = tmp_path / said["hook"][key]
    assert len(secret.read_text()) >= 15
    assert secret.stat().st_mode & 0o077 == 0


def test_ses_is_an_installation_on_aws_whose_other_steps_need_nothing(tmp_path: Path) -> None:
    walk = walk_in(tmp_path)
    written(walk, "mail", {**BEGIN, "way": "ses", "region": "eu-west-1"})
    assert walk.desk.config().engine is EngineKind.AWS
    for name in ("outgoing", "sandbox", "service"):
        assert walk.find(name).not_needed(walk.desk)
    dns = walk.find("dns")
    plan = dns.plan(walk.desk, walk.take(dns, {}).given)
    assert f"  *.{DOMAIN}.  MX  10 inbound-smtp.eu-west-1.amazonaws.com" in plan.tells
    with pytest.raises(Refused, match="is for AWS"):
        walk.find("mail").plan(walk.desk, walk.take(walk.find("mail"), {**BEGIN, "way": "gmail", **TOKENS}).given)


def test_each_record_is_looked_for_and_told_with_what_it_should_be() -> None:
    zone = Zone()
    wanted, known = {"mx": "mx.example.com", "spf": "mx"}, Records("mx.example.com", "mx", has_names_below=True)
    missing = [each.says for each in look(zone, DOMAIN, wanted, known)]
    assert "has no MX record yet: set it to mx.example.com" in missing[0]
    zone.put(DOMAIN, "MX", "10 mx.other.example")
    zone.put(f"setup-looks-here.{DOMAIN}", "MX", "10 MX.example.com")
    zone.put(DOMAIN, "TXT", "v=spf1 include:other.example -all")
    found = [(each.name, each.finding.value) for each in look(zone, DOMAIN, wanted, known)]
    assert found == [("mx", "fail"), ("mx", "ok"), ("spf", "fail"), ("dmarc", "warn")]
    zone.put(DOMAIN, "TXT", "v=spf1 +mx -all", "something=else")
    zone.put(DOMAIN, "MX", "10 mx.example.com")
    assert {each.finding.value for each in look(zone, DOMAIN, wanted, known)} == {"ok", "warn"}
    zone.put(DOMAIN, "TXT", "v=spf1 mx -all", "v=spf1 -all")
    assert "counts as none" in next(each.says for each in look(zone, DOMAIN, wanted, known) if each.name == "spf")
