"""The table of git: what lets us in at remote repositories, and what commits tell about people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from webordinary.routing.project import USUAL_USER, GitAccess
from webordinary.routing.secrets import NAME_RULE, is_secret_name
from webordinary.values import HostKey, Section, Title, Variable, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.config.lines import KeyPath

# A configuration that names one of these means it instead of the other.
_EITHER = (("ssh_key_file", "ssh_key_variable"), ("known_hosts", "host_keys"), ("token_file", "token_variable"))
_SECRETS = ("ssh_key_file", "ssh_key_variable", "token_file", "token_variable")


class SecretName(str):
    """The name of a secret that the engine keeps."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> SecretName:
        text = text_of(value)
        if not is_secret_name(text):
            raise ValueError(f"must be {NAME_RULE}: the name of the secret, never the secret itself")
        return cls(text)


class GitSection(Section, frozen=True, kw_only=True):
    """How repositories on other machines let us in, and what commits tell about people."""

    ssh_key_file: Path | None = None
    """The private key for addresses with SSH, readable only by its owner and without a passphrase."""
    ssh_key_variable: Variable | None = None
    """The environment variable that holds that key; this or `ssh_key_file`."""
    known_hosts: Path | None = None
    """The servers that are believed to be who they say, in SSH's own format; else what this machine knows."""
    host_keys: tuple[HostKey, ...] = ()
    """The public keys of the server, such as `ssh-ed25519 AAAA…`; these or `known_hosts`."""
    token_file: Path | None = None
    """A file that holds the token, or the password, for addresses with HTTPS."""
    token_variable: Variable | None = None
    """The environment variable that holds that token; this or `token_file`."""
    secret: SecretName | None = None
    """The name under which the engine keeps the token or the key, instead of these; on AWS onboarding sets it."""
    user: Title | None = None
    """The name that goes with the token; most servers do not care, the default is `x-access-token`."""
    mail_addresses: bool | None = None
    """Whether commits carry the editors' mail addresses; `false` if it is left out, then they have only names."""


def access_of(mine: GitSection, everybodys: GitSection, folder: Path) -> GitAccess:
    """Return what holds for one project: its own table, and the one for all where that says nothing."""
    if mine.secret:
        everybodys = replace(everybodys, **dict.fromkeys(_SECRETS))
    elif any(getattr(mine, name) for name in _SECRETS):
        everybodys = replace(everybodys, secret=None)
    key, hosts, token = (mine if any(getattr(mine, name) for name in pair) else everybodys for pair in _EITHER)
    addresses = everybodys.mail_addresses if mine.mail_addresses is None else mine.mail_addresses
    return GitAccess(
        ssh_key_file=_place(key.ssh_key_file, folder),
        ssh_key_variable=_text(key.ssh_key_variable),
        known_hosts=_place(hosts.known_hosts, folder),
        host_keys=tuple(map(str, hosts.host_keys)),
        token_file=_place(token.token_file, folder),
        token_variable=_text(token.token_variable),
        secret=_text(mine.secret or everybodys.secret),
        user=_text(mine.user or everybodys.user) or USUAL_USER,
        mail_addresses=bool(addresses),
    )


def _place(path: Path | None, folder: Path) -> str | None:
    return None if path is None else str(folder / path)


def _text(value: str | None) -> str | None:
    # A store keeps projects, and knows none of our types.
    return None if value is None else str(value)


def complaints_about_git(git: GitSection, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Say what does not fit together."""
    for one, other in _EITHER:
        if getattr(git, one) and getattr(git, other):
            yield (*path, other), f"cannot stand beside `{one}`; remove one of them"
    for name in _SECRETS:
        if git.secret and getattr(git, name):
            yield (*path, "secret"), f"cannot stand beside `{name}`; remove one of them"
