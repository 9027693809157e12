"""A whole provider on loopback: a token server, and a real Dovecot whose mailbox and way out take its tokens."""

from __future__ import annotations

import queue
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from aiosmtpd.controller import Controller

from tests.doors.dovecot import USER, Dovecot, set_up, take_tokens
from tests.doors.token_server import CLIENT, SCOPE, SECRET, token_server
from tests.ports import free_port
from tests.programs import need

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aiosmtpd.smtp import SMTP, Envelope, Session

    from tests.doors.token_server import TokenServer


@dataclass
class Post:
    """Where the mails end up that the provider has taken."""

    mails: queue.Queue[bytes] = field(default_factory=queue.Queue)

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - as the library has it
        assert isinstance(envelope.content, bytes)
        self.mails.put(envelope.content)
        return "250 OK"


@dataclass
class Provider:
    """Everything that Google or Microsoft would be."""

    giver: TokenServer
    dovecot: Dovecot
    post: Post

    def oauth(self, **keys: str) -> str:
        """Return the table of the login for a configuration."""
        values = {
            "name": "bakery",
            "client_id": CLIENT,
            "client_secret_file": "app-secret",
            "token_url": f"{self.giver.address}/token",
            "authorize_url": f"{self.giver.address}/authorize",
            "device_url": f"{self.giver.address}/device",
            **keys,
        }
        lines = "".join(f'{name} = "{value}"\n' for name, value in values.items())
        return f'\n[[oauth]]\n{lines}scopes = ["{SCOPE}"]\n'

    def imap(self) -> str:
        return (
            f'\n[[imap]]\nhost = "127.0.0.1"\nport = {self.dovecot.port}\nsecurity = "none"\nuser = "{USER}"\n'
            'oauth = "bakery"\n'
        )

    @property
    def outgoing(self) -> str:
        return f'[outgoing]\nurl = "smtp://{USER}@localhost:{self.dovecot.submission}"\noauth = "bakery"\n'

    def configure(self, folder: Path, *, sends: bool = True, **keys: str) -> None:
        """Let the installation in this folder read, and send, through the provider."""
        (folder / "app-secret").write_text(f"{SECRET}\n")
        path = folder / "webordinary.toml"
        text = path.read_text()
        if sends:
            before, _, rest = text.partition("[outgoing]\n")
            text = before + self.outgoing + "\n" + rest[rest.index("\n[") if "\n[" in rest else len(rest) :]
        path.write_text(text + self.oauth(**keys) + self.imap())


@contextmanager
def provider(*, sends: bool = True, mechanisms: str = "xoauth2 oauthbearer") -> Iterator[Provider]:
    """Run all of it inside the block."""
    if sends:
        need("submission-login")
    folder = Path(tempfile.mkdtemp(prefix="dovecot-"))
    dovecot = set_up(folder)
    post = Post()
    controller = Controller(post, hostname="127.0.0.1", port=free_port())
    controller.start()
    try:
        with token_server() as giver:
            take_tokens(dovecot, giver.address, mechanisms, controller.port if sends else None)
            dovecot.start()
            yield Provider(giver, dovecot, post)
    finally:
        dovecot.kill()
        controller.stop()
        shutil.rmtree(folder, ignore_errors=True)
