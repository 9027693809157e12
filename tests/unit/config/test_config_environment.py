from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from webordinary.config import Config, read_config
from webordinary.config.environment import variables
from webordinary.doors.smtp import Smtp
from webordinary.errors import Misconfigured

SMALL = 'domain = "edit.example.com"\n[outgoing]\nurl = "maildir:out"\n'


def read(text: str = SMALL, **environ: str) -> Config:
    given = {f"WEBORDINARY_{name}": value for name, value in environ.items()}
    return read_config(text, Path("/srv/webordinary.toml"), {"HOME": "/root", **given})


def test_a_variable_wins_over_the_file() -> None:
    config = read(
        DOMAIN="other.example.com",
        SMTP_LISTEN="127.0.0.1:0",
        WORKERS_COUNT="5",
        WORKERS_LEASE="1 min",
        WORKERS_SWEEP="2",
        DEMO="true",
        AGENT_KIND="command",
        AGENT_COMMAND="my-agent --edit",
        DATA="elsewhere",
    )
    assert config.domain == "other.example.com"
    assert config.find_doors(Smtp)[0].listen.port == 0
    assert (config.workers.count, config.workers.lease) == (5, timedelta(minutes=1))
    assert config.workers.sweep == timedelta(seconds=2)
    assert config.demo
    assert (config.agent.kind, config.agent.command) == ("command", ("my-agent", "--edit"))
    assert config.data == Path("/srv/elsewhere")


def test_variables_can_be_all_there_is() -> None:
    assert read("", DOMAIN="a.example", OUTGOING_URL="smtp://mail.example").outgoing.host == "mail.example"


def test_a_secret_is_read_from_the_file_that_a_variable_names(tmp_path: Path) -> None:
    (tmp_path / "url").write_text("smtps://user:hunter2@mail.example.com\n", encoding="utf-8")
    config = read(OUTGOING_URL_FILE=str(tmp_path / "url"))
    assert config.outgoing.password == "hunter2"


def test_a_secret_that_is_wrong_is_not_repeated(tmp_path: Path) -> None:
    (tmp_path / "url").write_text("smtps://user:hunter2#@mail.example.com\n", encoding="utf-8")
    with pytest.raises(Misconfigured, match=r"^WEBORDINARY_OUTGOING_URL_FILE: `outgoing.url` has") as caught:
        read(OUTGOING_URL_FILE=str(tmp_path / "url"))
    assert "hunter2" not in str(caught.value)


def test_a_secret_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="cannot be read: No such file"):
        read(OUTGOING_URL_FILE=str(tmp_path / "absent"))
    (tmp_path / "bytes").write_bytes(b"\xff")
    with pytest.raises(Misconfigured, match="it is not UTF-8 text"):
        read(OUTGOING_URL_FILE=str(tmp_path / "bytes"))


def test_a_value_and_its_file_are_not_both_taken() -> None:
    with pytest.raises(Misconfigured, match="are both set; remove one"):
        read(DOMAIN="a.example", DOMAIN_FILE="/run/secrets/domain")


def test_an_empty_variable_counts_as_not_set() -> None:
    assert read(DOMAIN="", DOMAIN_FILE="", WORKERS_COUNT="").domain == "edit.example.com"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("SMTP_LISTN", "x", "WEBORDINARY_SMTP_LISTN sets no key; did you mean WEBORDINARY_SMTP_LISTEN?"),
        ("SMTP_LISTEN_FIEL", "x", "WEBORDINARY_SMTP_LISTEN_FIEL sets no key"),
        ("QQQ", "", "WEBORDINARY_QQQ sets no key; remove it or correct its name."),
        ("WORKERS_BACKOFF", "1", "WEBORDINARY_WORKERS_BACKOFF sets no key"),
        ("PROJECT_ID", "a", "WEBORDINARY_PROJECT_ID sets no key"),
        ("WORKERS_COUNT", "two", "WEBORDINARY_WORKERS_COUNT must be a whole number from 0 to 1,000."),
        ("WORKERS_COUNT", "-1", "WEBORDINARY_WORKERS_COUNT: `workers.count` must be a whole number"),
        ("DEMO", "maybe", "WEBORDINARY_DEMO must be true or false."),
        ("AGENT_KIND", "acp", 'WEBORDINARY_AGENT_KIND: `agent.kind` is "acp", so `agent.command` must name'),
        ("SMTP_TRUST_LOCAL", "1", "WEBORDINARY_SMTP_TRUST_LOCAL: `smtp.trust_local` is only for a demo"),
    ],
)
def test_a_variable_that_does_not_fit_is_refused_by_its_name(name: str, value: str, said: str) -> None:
    with pytest.raises(Misconfigured) as caught:
        read(**{name: value})
    assert said in str(caught.value)


def test_variables_with_another_purpose_are_left_alone() -> None:
    assert read(CONFIG="x", STRICT="1", SCRIPTED_GATES="x", NO_COLOR="1").domain == "edit.example.com"


def test_a_variable_cannot_hide_a_table_that_is_none() -> None:
    with pytest.raises(Misconfigured, match="line 1: `smtp` must be a table"):
        read("smtp = 3\n" + SMALL, SMTP_LISTEN="127.0.0.1:0")


def test_every_single_key_has_a_variable() -> None:
    names = set(variables())
    assert {"WEBORDINARY_DOMAIN", "WEBORDINARY_PREVIEW_URL", "WEBORDINARY_SANDBOX_MODE"} <= names
    assert not any(name.startswith("WEBORDINARY_PROJECT") for name in names)
