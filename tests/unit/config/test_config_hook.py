from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.config.test_config_aws import AWS
from tests.unit.config.test_config_aws import complaint as on_aws
from tests.unit.config.test_config_doors import complaint, read
from webordinary.doors.hook import Hook


def test_without_the_table_there_is_no_hook() -> None:
    assert read("").find_doors(Hook) == []


def test_a_hook_waits_on_loopback_and_its_files_lie_beside_the_configuration() -> None:
    hook = read('[hook]\nsecret_file = "secrets/hook"\nmailgun_key_file = "/etc/mailgun"').find_doors(Hook)[0]
    assert hook is not None
    assert (str(hook.listen), hook.listen.is_loopback) == ("127.0.0.1:8026", True)
    assert (hook.secret_file, hook.mailgun_key_file) == (Path("/srv/secrets/hook"), Path("/etc/mailgun"))


@pytest.mark.parametrize(
    ("table", "wrong"),
    [
        ("", "needs `secret_file`, `mailgun_key_file` or `sendgrid_key`; without one nobody is let in"),
        ('listen = "127.0.0.1:8026"', "without one nobody is let in"),
        ('secret_file = "a"\nsecret_variable = "B"', "`hook.secret_variable` cannot stand beside `secret_file`"),
        ('mailgun_key_file = "a"\nmailgun_key_variable = "B"', "cannot stand beside `mailgun_key_file`"),
        ('secret_file = "a"\nmail_deadline = 0', "`hook.mail_deadline` must be longer than 0"),
        ('secret_file = "a"\nlisten = "127.0.0.1:8080"', "`hook.listen`"),
        ('sendgrid_key = "hunter2"', "must be the public key as SendGrid shows it"),
        ('secret = "hunter2"', "`hook.secret`"),
    ],
)
def test_what_does_not_fit_is_refused(table: str, wrong: str) -> None:
    assert wrong in complaint(f"[hook]\n{table}")


def test_a_secret_in_the_file_itself_is_never_repeated() -> None:
    assert "hunter2" not in complaint('[hook]\nsecret = "hunter2"')


def test_on_aws_mail_comes_in_by_ses() -> None:
    assert "on AWS mail comes in by SES" in on_aws(f'{AWS}[hook]\nsecret_file = "a"\n')
