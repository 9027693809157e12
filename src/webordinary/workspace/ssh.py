"""SSH with a key and a server that the configuration names; nothing is asked, and no stranger is believed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured
from webordinary.routing.secrets import read_named_file

if TYPE_CHECKING:
    from webordinary.routing.project import SshAccess

_BEHAVE = (
    *("BatchMode=yes", "ConnectTimeout=20", "PasswordAuthentication=no", "KbdInteractiveAuthentication=no"),
    *("ForwardAgent=no", "ControlMaster=no", "ControlPath=none", "PermitLocalCommand=no"),
)
_ALIAS = "server"
_OTHERS_MAY_READ = 0o077


def ssh_words(access: SshAccess, folder: Path, table: str) -> list[str]:
    """Return the command up to the server's name; what has to be written down for it goes into the folder.

    `table` is where in the configuration a person corrects it.
    """
    options = list(_BEHAVE)
    command = ["ssh"]
    key = _key(access, folder, table)
    if key is not None:
        # With a key of its own nothing of the account that runs us is asked: neither its agent nor its settings.
        command += ["-F", "none", "-i", str(key)]
        options += ["IdentitiesOnly=yes", "IdentityAgent=none"]
    if access.host_keys:
        known = folder / "known_hosts"
        known.write_text("".join(f"{_ALIAS} {each}\n" for each in access.host_keys), encoding="ascii")
        options += [*_only(known), f"HostKeyAlias={_ALIAS}"]
    elif access.known_hosts is not None:
        if not Path(access.known_hosts).is_file():
            raise Misconfigured(f"There is no file {access.known_hosts}; correct `{table}.known_hosts`.")
        options += _only(Path(access.known_hosts))
    return [*command, *(word for each in options for word in ("-o", each))]


def read_secret(file: str | Path | None, variable: str | None, named: str) -> str:
    """Read a secret from where it lies, each time anew because it may be renewed while we run."""
    if variable is not None:
        if not (found := os.environ.get(variable, "").strip()):
            raise Misconfigured(f"The variable {variable} is empty; set it, or correct `{named}_variable`.")
        return found
    if file is None:
        return ""
    found = read_named_file(Path(file), lambda why: f"{file} cannot be read ({why}); correct `{named}_file`.").strip()
    if not found:
        raise Misconfigured(f"The file {file} is empty; correct `{named}_file`.")
    return found


def _key(access: SshAccess, folder: Path, table: str) -> Path | None:
    """Return the file of the key; one from a variable is written down for as long as it is needed."""
    if access.ssh_key_file is not None:
        path = Path(access.ssh_key_file)
        read_secret(access.ssh_key_file, None, f"{table}.ssh_key")
        if path.stat().st_mode & _OTHERS_MAY_READ:
            raise Misconfigured(f"Others may read the key {path}, so SSH does not use it; chmod 600 it.")
        return path
    if access.ssh_key_variable is None:
        return None
    path = folder / "key"
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(read_secret(None, access.ssh_key_variable, f"{table}.ssh_key") + "\n")
    return path


def _only(known: Path) -> list[str]:
    return [f'UserKnownHostsFile="{known}"', "GlobalKnownHostsFile=/dev/null", "StrictHostKeyChecking=yes"]
