"""A page that listens to the stream, without a browser."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from tests.dashboard.face import Face
    from webordinary.dashboard.viewer import Viewer

_PATIENCE = 30


@dataclass(frozen=True)
class Heard:
    """One event of the stream."""

    what: str
    data: str
    number: str

    @property
    def names(self) -> list[str]:
        names: list[str] = json.loads(self.data)
        return names


class Listener:
    """One stream; it is closed at the end of the block."""

    def __init__(self, address: str, cookie: str, after: object = "", last_event_id: str = "") -> None:
        self._connection = self.connect(urlsplit(address).netloc)
        headers = {"Cookie": cookie} | ({"Last-Event-ID": last_event_id} if last_event_id else {})
        self._connection.request("GET", f"/events?after={after}", headers=headers)
        self.answer = self._connection.getresponse()
        self.status = self.answer.status

    def connect(self, host: str) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(host, timeout=_PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def next(self) -> Heard:
        """Wait for an event; nothing is an event of its own when the stream is over."""
        said = {"event": "", "data": "", "id": ""}
        while line := self.answer.readline():
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                said[name] = value
            elif said["event"]:
                return Heard(said["event"], said["data"], said["id"])
        return Heard("", "", "")

    def hear(self, what: str) -> Heard:
        """Wait for an event of one kind."""
        while (heard := self.next()).what not in {what, ""}:
            pass
        return heard


def session(face: Face, viewer: Viewer) -> str:
    """Return the cookie of somebody who has signed in."""
    return f"{face.house.cookie}={face.house.sessions.begin(viewer)}"
