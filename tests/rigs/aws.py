"""The AWS engine as scenarios use it: mails by S3 and SES's word, the real flow, real worker processes, sites in S3."""

from __future__ import annotations

import itertools
import json
import os
import re
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime
from typing import TYPE_CHECKING

from tests.rigs.aws_ports import aws_clients, aws_server
from tests.rigs.embedded import EmbeddedRig, make_repository, received, with_place, with_rules, with_settings
from webordinary.config import load_config, project_block, with_project
from webordinary.engines.installation import Installation
from webordinary.testing.story import wait_for
from webordinary_local_aws.flow import LocalFlow
from webordinary_local_aws.schedule import Schedule
from webordinary_local_aws.server import ACCOUNT, REGION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from webordinary.engines.aws.s3.bucket import Bucket
    from webordinary.testing.rig import Received, SiteSetup

_numbers = itertools.count(1)

# As patient as tests are; the proportions are those of the defaults.
_CONFIG = """
domain = "{domain}"
engine = "aws"

[aws]
prefix = "{prefix}"
region = "{region}"
account = "{account}"
endpoint = "{endpoint}"

[agency]

[sandbox]

[workers]
lease = "6 s"
beat = "1 s"
idle_lease = "6 s"
idle_beat = "2 s"
sweep = "2 s"
"""


class AwsRig(EmbeddedRig):
    """One installation on the local AWS server, which all rigs of a process share."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._prefix = f"rig{os.getpid()}-{next(_numbers)}"
        # Of its own: the local SES is one office for everybody.
        self.domain = f"{self._prefix}.example.com"
        self._schedule: Schedule | None = None

    def set_up(self, sites: Sequence[SiteSetup], settings: Mapping[str, str]) -> None:
        text = _CONFIG.format(
            domain=self.domain,
            prefix=self._prefix,
            region=REGION,
            account=ACCOUNT,
            endpoint=aws_server().endpoint,
        )
        for site in sites:
            block = project_block(
                id=site.id,
                repository=str(make_repository(self.folder, site.id, site.sample)),
                build=site.build,
                output=site.output,
                site_target="s3",
                editors=site.editors,
            )
            text = with_project(text, with_rules(with_place(block, site.where), site.rules))
        path = self.folder / "webordinary.toml"
        text = with_settings(text, {"agency": "welcome = false"})
        path.write_text(with_settings(text, settings), encoding="utf-8")
        self.open(path)

    def open(self, path: Path) -> None:
        config = load_config(path, {})
        self.flow = LocalFlow(aws_server(), config, aws_clients(), self.clock)
        self.here = Installation(config, self.flow.engine, self.clock)
        flow = self.flow
        self._schedule = Schedule(lambda: flow.invoke("sweep", {}), config.limits.sweep)

    def close(self) -> None:
        self.stop_sweeping()
        super().close()

    def stop_sweeping(self) -> None:
        """Let nobody find what was forgotten from here on."""
        if self._schedule is not None:
            self._schedule.close()
            self._schedule = None

    def environment(self) -> dict[str, str]:
        return {**super().environment(), **aws_server().environment()}

    def deliver(self, raw: bytes, *, as_address: str | None, to: str) -> str:
        """Put the mail into the bucket as SES does, and wait until the flow has decided what becomes of it."""
        sender = as_address or "unknown@example.org"
        key = f"incoming/{next(_numbers)}"
        mail = self.flow.deliver(key, _dated(raw), sender=sender, recipients=(to,), verified=as_address is not None)
        wait_for(lambda: self._is_decided(mail) or None, f"a decision about {mail}", self.flow.story)
        return mail

    def send(self, raw: bytes, *, sender: str, to: str) -> str:
        return self.deliver(raw, as_address=sender, to=to)

    def page(self, project: str, path: str, *, thread: str | None = None) -> str:
        found = self._object(project, path, thread)
        return "404" if found is None else found.decode()

    def fetch(self, project: str, path: str) -> bytes:
        return self._object(project, path) or b""

    def mailbox(self, address: str) -> list[Received]:
        mails = [
            message_from_bytes(sent.raw, _class=EmailMessage, policy=policy.default)
            for sent in aws_server().letters()
            if address in sent.to
        ]
        return [received(mail) for mail in mails if f"@{self.domain}" in str(mail["From"])]

    def _is_decided(self, mail: str) -> bool:
        known = self.here.engine.overview.mail(mail)
        return known is not None and known.state == "decided"

    def _object(self, project: str, path: str, thread: str | None = None) -> bytes | None:
        """Follow the pointer as CloudFront's function does."""
        bucket = self.flow.sites
        pointer = _json(bucket, f"{project}/previews/{thread}.json" if thread else f"{project}/live.json")
        place = pointer.get("place")
        name = f"{path}index.html" if not path or path.endswith("/") else path
        found = bucket.read(f"{place}{name}") if place else None
        return found.content if found else None


def _dated(raw: bytes) -> bytes:
    """Date a mail whose writer did not: programs that people use always do, and SES's word counts only with it."""
    if re.search(rb"^date:", raw.partition(b"\n\n")[0], re.IGNORECASE | re.MULTILINE):
        return raw
    return f"Date: {format_datetime(datetime.now(UTC))}\n".encode() + raw


def _json(bucket: Bucket, key: str) -> dict[str, str]:
    found = bucket.read(key)
    return json.loads(found.content) if found else {}
