"""What the HTTP door knows and does for all its connections: whom it lets in, and keeping what they hand over."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType
from webordinary.doors.hook_seals import read_seals
from webordinary.doors.hook_ways import WAYS
from webordinary.doors.keeping import Keeping
from webordinary.doors.room import Room
from webordinary.doors.smtp_data import normalised, problem_with
from webordinary.errors import Misconfigured, Refused, TryAgain
from webordinary.mail.inbox import Envelope
from webordinary.routing.route import is_ours

if TYPE_CHECKING:
    from webordinary.doors.hook import Hook
    from webordinary.doors.hook_seals import Seals
    from webordinary.doors.hook_ways import Handed, HookCall, HookProvider
    from webordinary.intake import Intake

DOOR = "hook"
# The web server in front of us: all its connections come from here.
_IN_FRONT = ("127.0.0.0/8", "::1/128")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """The HTTP response: a status for the client's program, and a sentence for a person who looks."""

    status: int
    text: str


LATER = HookAnswer(503, "the mail could not be stored, please try again later")


class HookDoor:
    """Says who may hand mail in, and tells each provider what it understands."""

    def __init__(self, intake: Intake, hook: Hook, mark: str = "") -> None:
        self.hook = hook
        self.room = Room(hook.connections, hook.connections_each, _IN_FRONT)
        self.ident = f"WebOrdinary {mark}".rstrip()
        self.is_closing = False
        self._intake = intake
        self._keeping = Keeping(intake, DOOR)
        read_seals(hook)

    def find_way(self, call: HookCall) -> HookProvider | HookAnswer:
        """Return the provider that this request is of; an unauthorised one is refused before its body is read."""
        name, _, rest = call.path.strip("/").partition("/")
        way = WAYS.get(name)
        if way is None or not self._is_open(name, rest):
            return HookAnswer(404, "there is nothing here")
        if call.method != "POST":
            return HookAnswer(405, "mail is handed in with POST")
        if not way.by_secret or (name == "sendgrid" and self.hook.sendgrid_key is not None):
            return replace(way, by_secret=False)
        try:
            self._seals().require_secret(*call.secrets)
        except Misconfigured as problem:
            return self._wrong(way, name, problem)
        except TryAgain as later:
            _log.warning("a hook was put off: %s", later)
            return LATER
        return way

    async def take(self, call: HookCall, way: HookProvider, body: bytes) -> HookAnswer:
        """Make the mail durable and acknowledge it; no error is ever answered as a success."""
        name = call.path.strip("/").partition("/")[0]
        try:
            now = self._intake.clock.now().wall_at
            # In a thread, because a large form takes its time.
            handed = await self._keeping.run(way.read, call, body, self._seals(), now)
            return HookAnswer(200, f"accepted as {await self._keep(handed, name)}")
        except Misconfigured as problem:
            return self._wrong(way, name, problem)
        except Refused as refused:
            return await self.refuse(way, name, str(refused))
        except TryAgain as later:
            _log.warning("a mail was put off: %s", later)
        except Exception:  # noqa: BLE001 - whatever it is, the provider must hear that it was not stored
            _log.exception("a mail could not be stored")
        return LATER

    async def refuse(self, way: HookProvider, name: str, why: str) -> HookAnswer:
        """Say for good that a mail is not taken, and write it down: nobody else would ever learn of it."""
        entry = Entry(
            EventType.MAIL_REFUSED, self._intake.clock.now().wall_at, text=why, facts={"door": DOOR, "way": name}
        )
        try:
            await self._keeping.record(entry)
        except TryAgain:
            _log.exception("a refused mail could not be recorded")
        return HookAnswer(way.never, why)

    async def finish(self) -> None:
        await self._keeping.finish()

    def _seals(self) -> Seals:
        try:
            return read_seals(self.hook)
        except Misconfigured as problem:
            # Where our secrets lie is nothing for a stranger.
            raise TryAgain(str(problem)) from problem

    def _is_open(self, name: str, rest: str) -> bool:
        if name == "mailgun":
            return self.hook.has_mailgun_key and rest == "mime"
        return self.hook.has_secret or (name == "sendgrid" and self.hook.sendgrid_key is not None)

    def _wrong(self, way: HookProvider, name: str, problem: Misconfigured) -> HookAnswer:
        # Without the path and the headers, in which secrets stand.
        _log.warning("what came to the hook /%s was not taken: %s", name, problem)
        return HookAnswer(way.wrong, str(problem))

    async def _keep(self, handed: Handed, name: str) -> str:
        raw = normalised(handed.raw)
        if problem := problem_with(raw):
            raise Refused(problem.partition(" ")[2].partition(" ")[2])
        envelope = Envelope(DOOR, await self._recipients(handed), handed.mail_from)
        if handed.token is not None:
            await self._keeping.run(self._spend, f"{DOOR}:{name}:{handed.token}", raw)
        return await self._keeping.keep(raw, envelope)

    async def _recipients(self, handed: Handed) -> tuple[str, ...]:
        """Return our addresses that it was sent to; without any, the mail's own To and Cc say where it goes."""
        ours = [each for each in handed.recipients if is_ours(each, self._intake.domain)]
        known = [each for each in ours if await self._keeping.knows(each)]
        if ours and not known:
            raise Refused("nobody here has this address")
        return tuple(known)

    def _spend(self, key: str, raw: bytes) -> None:
        """Let a token count for one mail, however often that comes: the token does not cover what it says."""
        digest = hashlib.sha256(raw).hexdigest()
        if self._intake.engine.inbox.take_key(key, digest, self._intake.clock.now()) != digest:
            raise Misconfigured("the signature of this hook was used for another mail before")
