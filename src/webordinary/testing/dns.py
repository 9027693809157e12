"""Name servers for tests: a zone that is asked directly, and one that answers over UDP on loopback."""

from __future__ import annotations

import socketserver
import threading
from typing import TYPE_CHECKING

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

from webordinary.errors import TryAgain

if TYPE_CHECKING:
    from collections.abc import Mapping

FAILS = "SERVFAIL"
SILENT = "TIMEOUT"


class Zone:
    """Records by name and kind; a name whose record is FAILS or SILENT does not answer."""

    def __init__(self, records: Mapping[tuple[str, str], list[str]] | None = None) -> None:
        self.records = dict(records or {})
        self.asked: list[tuple[str, str]] = []

    def put(self, name: str, kind: str, *values: str) -> None:
        self.records[name.lower(), kind] = list(values)

    def look_up(self, name: str, kind: str) -> list[str]:
        key = name.lower().rstrip("."), kind
        self.asked.append(key)
        found = self.records.get(key, [])
        if found in ([FAILS], [SILENT]):
            raise TryAgain(f"no name server answered about {name}")
        return list(found)


class NameServer:
    """Answers for a zone on a port of loopback; it says nothing at all about what is SILENT."""

    def __init__(self, zone: Zone, address: tuple[str, int] = ("127.0.0.1", 0)) -> None:
        self.zone = zone
        self._server = socketserver.ThreadingUDPServer(address, _answerer(zone))
        self._thread = threading.Thread(target=self._server.serve_forever, name="dns", daemon=True)
        self._thread.start()

    @property
    def address(self) -> tuple[str, int]:
        host, port = self._server.server_address[:2]
        return str(host), int(port)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _answerer(zone: Zone) -> type[socketserver.BaseRequestHandler]:
    class Answerer(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            data, socket = self.request
            answer = _answer(zone, dns.message.from_wire(data))
            if answer is not None:
                socket.sendto(answer.to_wire(max_size=65_000), self.client_address)

    return Answerer


def _answer(zone: Zone, query: dns.message.Message) -> dns.message.Message | None:
    question = query.question[0]
    name, kind = question.name.to_text().lower().rstrip("."), dns.rdatatype.to_text(question.rdtype)
    zone.asked.append((name, kind))
    found = zone.records.get((name, kind), [])
    if found == [SILENT]:
        return None
    answer = dns.message.make_response(query)
    answer.flags |= dns.flags.AA | dns.flags.RA
    if found == [FAILS]:
        answer.set_rcode(dns.rcode.SERVFAIL)
    elif found:
        texts = [_quoted(value) if kind == "TXT" else value for value in found]
        answer.answer.append(dns.rrset.from_text_list(question.name, 60, "IN", kind, texts))
    elif not any(known == name for known, _ in zone.records):
        answer.set_rcode(dns.rcode.NXDOMAIN)
    return answer


def _quoted(text: str) -> str:
    """Return a text in the pieces of at most 255 letters that DNS keeps."""
    pieces = [text[start : start + 255] for start in range(0, len(text), 255)] or [""]
    return " ".join('"' + piece.replace("\\", "\\\\").replace('"', '\\"') + '"' for piece in pieces)
