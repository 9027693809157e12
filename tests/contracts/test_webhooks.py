"""Receivers are told of what happened at least once, on every engine whose trail is read."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from tests.serving import listening
from webordinary.audit.entry import Entry, EventType
from webordinary.reply.bounces import Bounce
from webordinary.testing.clock import ManualClock
from webordinary.worker.hooks.deliver import BACKOFF, Webhooks, lost_events
from webordinary.worker.hooks.hook import HookEvent, Webhook, sign
from webordinary.worker.hooks.post import is_public

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.rigs.ports import Ports

SECRET = "a secret that both sides know"
ALL = frozenset(HookEvent)


class Receiver:
    """A real web server that takes what comes, or answers what a test says."""

    def __init__(self) -> None:
        self.answers: list[int] = []
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.url = ""
        self.heard = threading.Event()
        self.waits_for: threading.Event | None = None

    @property
    def events(self) -> list[str]:
        return [json.loads(body)["event"] for _, body in self.got]

    @contextmanager
    def listening(self) -> Iterator[Receiver]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                outer.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
                outer.heard.set()
                if outer.waits_for is not None:
                    outer.waits_for.wait(30)
                status = outer.answers.pop(0) if outer.answers else 204
                self.send_response(status)
                if status == 302:
                    self.send_header("location", f"{outer.url}/elsewhere")
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            self.url = f"http://127.0.0.1:{server.server_address[1]}/hook"
            with listening(server):
                yield self


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver().listening() as made:
        yield made


@pytest.fixture
def hooks(ports: Ports, receiver: Receiver, tmp_path: Path) -> Webhooks:
    (tmp_path / "secret").write_text(f"{SECRET}\n", encoding="utf-8")
    hook = Webhook(receiver.url, ALL, tmp_path / "secret", private=True)
    made = Webhooks((hook,), ports.engine.trail, ManualClock(), tmp_path / "hooks")
    # What was before a receiver is known is not told.
    record(made, EventType.JOB_DONE)
    made.deliver()
    return made


def record(hooks: Webhooks, what: EventType, **facts: str) -> None:
    at = hooks.clock.now().wall_at
    hooks.trail.record(Entry(what, at, lane="amelia#scott", job="job-1", text="hours", facts=facts))


def pass_time(hooks: Webhooks, by: timedelta) -> None:
    assert isinstance(hooks.clock, ManualClock)
    hooks.clock.advance(by)
    hooks.deliver()


def test_what_happens_is_told_once_and_signed(hooks: Webhooks, receiver: Receiver) -> None:
    record(hooks, EventType.JOB_STARTED)
    record(hooks, EventType.JOB_DONE, outcome="published")
    hooks.deliver()
    hooks.deliver()
    assert receiver.events == ["job finished"]
    headers, body = receiver.got[0]
    told = json.loads(body)
    assert (told["job"], told["project"], told["outcome"], told["id"]) == (
        "job-1", "amelia", "published", headers["webhook-id"],
    )  # fmt: skip
    seconds = int(headers["webhook-timestamp"])
    assert headers["webhook-signature"] == sign(SECRET, told["id"], seconds, body)
    assert seconds == int(hooks.clock.now().wall_at.timestamp())


def test_the_signature_is_the_one_of_the_standard() -> None:
    # The example that the libraries of Standard Webhooks are tried with.
    secret, name = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek"
    signed = sign(secret, name, 1614265330, b'{"test": 2432232314}')
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_what_needs_a_person_is_told_apart(hooks: Webhooks, receiver: Receiver) -> None:
    record(hooks, EventType.JOB_DONE, outcome="proposed")
    record(hooks, EventType.PROJECT_PAUSED, project="amelia")
    hooks.deliver()
    assert receiver.events == ["job finished", "needs you", "needs you"]


def test_everything_that_the_start_page_asks_somebody_for_is_told(hooks: Webhooks, receiver: Receiver) -> None:
    for what in (EventType.ANSWER_HELD, EventType.MAIL_HELD, EventType.MAIL_QUARANTINED, EventType.ANSWER_GIVEN_UP):
        record(hooks, what)
    record(hooks, EventType.MAIL_BOUNCED, address="scott@example.org", for_good="yes")
    record(hooks, EventType.CONFIGURATION_BROKEN)
    at = hooks.clock.now().wall_at
    for text in ("out of money", "built"):
        hooks.trail.record(Entry(EventType.STEP, at, lane="amelia#scott", job="job-1", text=text))
    # A mailbox that is full for a day is nobody's work.
    record(hooks, EventType.MAIL_BOUNCED, address="scott@example.org")
    record(hooks, EventType.ANSWER_EDITED, by="amy")
    hooks.deliver()
    assert receiver.events == ["needs you"] * 7


def test_a_mail_that_came_back_for_good_is_told_and_one_that_may_yet_arrive_is_not(
    hooks: Webhooks, receiver: Receiver, ports: Ports
) -> None:
    at = hooks.clock.now().wall_at
    for letter, is_for_good in (("a", False), ("b", True)):
        assert ports.engine.bounces.record(Bounce(letter, "Scott@example.org", is_for_good, "no such user", at))
    hooks.deliver()
    assert receiver.events == ["needs you"]
    assert "scott@example.org" in json.loads(receiver.got[0][1])["told"]


def test_a_receiver_is_told_no_link_that_says_ok(hooks: Webhooks, receiver: Receiver) -> None:
    token = "cfvqwk3f" * 6
    said = f"I have looked at https://dash.example/ok/{token} first"
    hooks.trail.record(Entry(EventType.JOB_DONE, hooks.clock.now().wall_at, job="job-1", text=said))
    hooks.deliver()
    assert b"I have looked at" in receiver.got[0][1]
    assert token.encode() not in receiver.got[0][1]


def test_a_receiver_that_fails_at_first_gets_the_same_event_again(hooks: Webhooks, receiver: Receiver) -> None:
    receiver.answers = [500, 302]
    record(hooks, EventType.JOB_FAILED)
    hooks.deliver()
    hooks.deliver()
    assert len(receiver.got) == 1, "it was not due yet"
    pass_time(hooks, BACKOFF[0])
    pass_time(hooks, BACKOFF[1])
    pass_time(hooks, BACKOFF[2])
    assert len(receiver.got) == 3
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1
    assert len({body for _, body in receiver.got}) == 1
    assert len({headers["webhook-signature"] for headers, _ in receiver.got}) == 3, "each try has its own moment"


def test_a_receiver_that_never_takes_it_is_given_up_and_the_trail_says_so(hooks: Webhooks, receiver: Receiver) -> None:
    receiver.answers = [410] * 20
    record(hooks, EventType.JOB_DEAD)
    hooks.deliver()
    for wait in (*BACKOFF, timedelta(days=30)):
        pass_time(hooks, wait)
    assert len(receiver.got) == 2 * (len(BACKOFF) + 1)
    given_up = [entry for entry in hooks.trail.newest(limit=10) if entry.what is EventType.WEBHOOK_GIVEN_UP]
    assert [entry.text for entry in given_up] == ["it answered 410"] * 2
    assert {entry.facts["event"] for entry in given_up} == {"job finished", "needs you"}
    assert {each.told.event for each in lost_events(hooks.folder, hooks.hooks[0])} == ALL


def test_a_private_address_is_told_nothing_unless_it_is_allowed(hooks: Webhooks, receiver: Receiver) -> None:
    careful = replace_hooks(hooks, private=False)
    record(hooks, EventType.JOB_DONE)
    careful.deliver()
    assert receiver.got == []
    pass_time(hooks, BACKOFF[0])
    assert receiver.events == ["job finished"]


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.0.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.1", "224.0.0.1", "::1", "::", "fe80::1%eth0",
        "fd00:ec2::254", "::ffff:169.254.169.254", "2002:7f00:1::", "64:ff9b::a9fe:a9fe",
        "64:ff9b::7f00:1", "64:ff9b:1::1", "::127.0.0.1",
    ],
)  # fmt: skip
def test_no_way_to_write_a_private_address_makes_it_public(address: str) -> None:
    assert not is_public(address)


def test_public_addresses_are_public_also_behind_a_translator() -> None:
    for address in ("8.8.8.8", "2001:4860:4860::8888", "64:ff9b::808:808"):
        assert is_public(address)


def replace_hooks(hooks: Webhooks, *, private: bool) -> Webhooks:
    changed = tuple(replace(each, private=private) for each in hooks.hooks)
    return Webhooks(changed, hooks.trail, hooks.clock, hooks.folder)


def test_of_two_processes_one_tells_it(hooks: Webhooks, receiver: Receiver) -> None:
    record(hooks, EventType.JOB_DONE)
    threads = [threading.Thread(target=replace_hooks(hooks, private=True).deliver) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    hooks.deliver()
    assert receiver.events == ["job finished"]


def test_what_another_machine_writes_behind_the_end_is_told_too(hooks: Webhooks, receiver: Receiver) -> None:
    behind = timedelta(seconds=15)
    patient = Webhooks(hooks.hooks, hooks.trail, hooks.clock, hooks.folder, behind=behind)
    record(hooks, EventType.JOB_FAILED)
    patient.deliver()
    assert receiver.events == [], "a machine whose clock is behind may still write before it"
    pass_time(patient, behind)
    assert receiver.events == ["job finished"]


@pytest.mark.thorough
def test_a_receiver_that_does_not_answer_keeps_nobody_else_waiting(
    hooks: Webhooks, receiver: Receiver, tmp_path: Path
) -> None:
    goes_on = threading.Event()
    with Receiver().listening() as slow:
        slow.waits_for = goes_on
        both = (Webhook(slow.url, ALL, tmp_path / "secret", private=True), *hooks.hooks)
        made = Webhooks(both, hooks.trail, hooks.clock, hooks.folder)
        made.deliver()
        for number in range(1, 3):
            record(hooks, EventType.JOB_DONE)
            while len(receiver.got) < number:
                made.look()
                receiver.heard.wait(5)
                receiver.heard.clear()
        assert not slow.got[1:]
        goes_on.set()


def test_after_a_restore_whose_trail_ends_earlier_it_is_told_from_there(hooks: Webhooks, receiver: Receiver) -> None:
    file = hooks.folder / f"{hooks.hooks[0].mark}.json"
    kept = json.loads(file.read_bytes())
    file.write_text(json.dumps(kept | {"read_until": kept["read_until"] + 10**12}), encoding="utf-8")
    hooks.deliver()
    record(hooks, EventType.JOB_DONE)
    hooks.deliver()
    assert receiver.events == ["job finished"]
