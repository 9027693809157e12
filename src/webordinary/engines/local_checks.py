"""What can be checked on this machine without asking anybody else; `doctor` and the dashboard say the same of it."""

from __future__ import annotations

import shutil
import tempfile
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured
from webordinary.findings import Check, fail, ok, warn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webordinary.config import Config
    from webordinary.engines.installation import Installation

_LITTLE_SPACE = 1024**3
CONFIGURATION = "configuration"


def check_data(config: Config) -> Check:
    """Tell whether the data folder can be written, and how much room is left."""
    try:
        config.data.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=config.data):
            free = shutil.disk_usage(config.data).free
    except OSError as problem:
        return fail("data", f"{config.data} cannot be written ({problem.strerror}): correct its owner or `data`")
    if free < _LITTLE_SPACE:
        return warn("data", f"only {free // 1024**2} MB are left under {config.data}: make room")
    return ok("data", f"{config.data}, {free // 1024**3} GB free")


def check_configuration(config: Config, environ: Mapping[str, str]) -> Check:
    """Tell whether the file can be read as it is now; what runs goes on with what it read before."""
    from webordinary.config import find_config  # noqa: PLC0415 - heavy, and only wanted here

    if not config.path.exists():
        return ok(CONFIGURATION, "it is not a file of this machine")
    try:
        found = find_config(config.path, environ)
    except Misconfigured as problem:
        return fail(CONFIGURATION, f"everything goes on with the last one that could be read. {problem}")
    return ok(CONFIGURATION, f"{found.path}, {len(found.projects)} projects")


def check_kept_logins(here: Installation) -> Iterator[Check]:
    """Tell where nobody has logged in yet, without asking a provider."""
    for each in here.config.oauth:
        login = here.config.find_login(each.name)
        if login is not None and not here.engine.secrets.has(login.secret_name):
            yield fail("login", f"nobody has logged in for {login.name} yet: `webordinary mailbox login {login.name}`")
