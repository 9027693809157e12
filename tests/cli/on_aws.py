"""Moves an installation of the embedded engine to AWS: what a person changes in the file, and what they run once."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from tests.cli.inside import InsideProgram
from tests.rigs.aws_ports import aws_clients, aws_server
from webordinary.config import load_config
from webordinary.engines.aws.account.onboarding import onboard
from webordinary.engines.aws.clients import AwsSettings
from webordinary.engines.aws.names import Names
from webordinary.engines.aws.open import create_stores

if TYPE_CHECKING:
    from pathlib import Path


def on_aws(folder: Path) -> InsideProgram:
    """Let the installation in a folder live on the local AWS server, with tables, buckets and queues of its own."""
    prefix = f"c{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"
    path = folder / "webordinary.toml"
    path.write_text(moved(path.read_text(), prefix, aws_server().endpoint))
    create_stores(AwsSettings(prefix), aws_clients())
    for project in load_config(path, {}).projects:
        onboard(project, Names(prefix), aws_clients())
    return InsideProgram(folder, aws_server().environment())


def moved(text: str, prefix: str, endpoint: str) -> str:
    """Return the configuration for AWS."""
    text = re.sub(r"^\[outgoing\]\n(#.*\n)*url = .*$", '[outgoing]\nurl = "ses:"', text, flags=re.MULTILINE)
    text = text.replace('target = "folder"\n', "")
    return f'engine = "aws"\n{text}\n[aws]\nprefix = "{prefix}"\nendpoint = "{endpoint}"\naccount = "123456789012"\n'
