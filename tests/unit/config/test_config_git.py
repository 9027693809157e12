from __future__ import annotations

from pathlib import Path

import pytest

from webordinary.config import Config, read_config
from webordinary.errors import Misconfigured
from webordinary.routing.project import GitAccess

SMALL = """\
domain = "edit.example.com"

[outgoing]
url = "maildir:outgoing"
"""
BAKERY = """
[[project]]
id = "amelia"
repository = "https://git.example.com/amelia.git"

[[project.editor]]
user = "scott"
address = "scott@example.com"
"""
HOST_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE3yZp7mB0n4r3c9Qe"


def read(text: str, variables: dict[str, str] | None = None) -> Config:
    return read_config(SMALL + text, Path("/srv/webordinary.toml"), variables or {})


def access(text: str, variables: dict[str, str] | None = None) -> GitAccess:
    return read(text, variables).projects[0].git


def test_without_a_word_nothing_is_opened_and_no_address_is_told() -> None:
    project = read(BAKERY).projects[0]
    assert project.git == GitAccess()
    assert project.address_in_commits(project.editors[0]) == "scott@amelia.invalid"


def test_one_table_is_for_all_projects_and_its_places_begin_at_the_file() -> None:
    found = access('[git]\nssh_key_file = "keys/deploy"\nmail_addresses = true\n' + BAKERY)
    assert found == GitAccess(ssh_key_file="/srv/keys/deploy", mail_addresses=True)


def test_a_project_has_its_own_instead_of_what_all_have() -> None:
    general = f'[git]\ntoken_file = "all"\nhost_keys = ["{HOST_KEY} a comment"]\nuser = "all"\nmail_addresses = true\n'
    own = '[project.git]\ntoken_variable = "AMELIA_TOKEN"\nmail_addresses = false\n'
    assert access(general + BAKERY + own) == GitAccess(token_variable="AMELIA_TOKEN", host_keys=(HOST_KEY,), user="all")


def test_where_the_secrets_lie_can_come_from_variables() -> None:
    found = access(BAKERY, {"WEBORDINARY_GIT_TOKEN_FILE": "/run/secrets/git", "WEBORDINARY_GIT_USER": "bot"})
    assert found == GitAccess(token_file="/run/secrets/git", user="bot")


def test_a_secret_of_the_engine_stands_in_the_place_of_files_and_variables() -> None:
    general = '[git]\ntoken_file = "all"\nssh_key_file = "key"\n'
    assert access(general + BAKERY + '[project.git]\nsecret = "amelia"\n') == GitAccess(secret="amelia")
    assert access('[git]\nsecret = "all"\n' + BAKERY) == GitAccess(secret="all")
    own = access('[git]\nsecret = "all"\n' + BAKERY + '[project.git]\ntoken_variable = "TOKEN"\n')
    assert own == GitAccess(token_variable="TOKEN")


def test_commits_carry_addresses_only_if_they_are_allowed_to() -> None:
    project = read(BAKERY + "[project.git]\nmail_addresses = true\n").projects[0]
    assert project.address_in_commits(project.editors[0]) == "scott@example.com"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('token_file = "a"\ntoken_variable = "B"', "`git.token_variable` cannot stand beside `token_file`"),
        ('ssh_key_file = "a"\nssh_key_variable = "B"', "`git.ssh_key_variable` cannot stand beside `ssh_key_file`"),
        ('host_keys = ["git.example.com ssh-ed25519 AAAA"]', "must be the public key of a server"),
        ('token_variable = "ghp_abc def"', "must be the name of a variable"),
        ('secret = "all"\nssh_key_file = "a"', "`git.secret` cannot stand beside `ssh_key_file`"),
        ('secret = "ghp_ABC"', "the name of the secret, never the secret itself"),
    ],
)
def test_what_does_not_fit_together_is_refused(text: str, wrong: str) -> None:
    with pytest.raises(Misconfigured) as caught:
        read(f"[git]\n{text}\n{BAKERY}")
    assert wrong in str(caught.value)


def test_a_password_in_the_address_is_not_shown() -> None:
    project = read(BAKERY.replace("https://", "https://bob:hunter2@")).projects[0]
    assert project.shown_repository == "https://git.example.com/amelia.git"
