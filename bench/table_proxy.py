"""Stands between the engine and DynamoDB: counts units by key and second, and refuses what real tables would refuse."""

from __future__ import annotations

import http.client
import json
import threading
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from bench.table_units import Tariff, Units, Written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

# What DynamoDB gives to one key in a second.
MOST_WRITES, MOST_READS = 1000, 3000
_BATCH = 100
_TARGET = "DynamoDB_20120810."
_WRITES = {"Put", "Update", "Delete", "ConditionCheck"}


@dataclass(slots=True)
class Account:
    """What was asked, by the second of the clock of those who ask."""

    by_second: dict[int, Units] = field(default_factory=lambda: defaultdict(Units))
    operations: Counter[str] = field(default_factory=Counter)
    throttled: int = 0

    def total(self) -> Units:
        total = Units()
        for units in self.by_second.values():
            total.add(units)
        return total

    def hottest(self) -> tuple[tuple[str, str], float]:
        """Return the key that took most write units in all that was counted, and how many."""
        return max(self.total().writes.items(), key=lambda each: each[1], default=(("", ""), 0))


class TableProxy:
    """A server on loopback in front of another one."""

    def __init__(self, behind: str, tariff: Tariff, seconds: Callable[[], float]) -> None:
        self.account = Account()
        self._behind = urlsplit(behind).netloc
        self._tariff = tariff
        self._seconds = seconds
        self._lock = threading.Lock()
        self._local = threading.local()
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, answer = proxy.answer(dict(self.headers), body)
                self.send_response(status)
                self.send_header("Content-Type", "application/x-amz-json-1.0")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.endpoint = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def begin(self) -> None:
        """Count from now on."""
        self.account = Account()

    def answer(self, headers: Mapping[str, str], body: bytes) -> tuple[int, bytes]:
        operation, asked = headers["X-Amz-Target"].removeprefix(_TARGET), json.loads(body)
        places = list(self._places(operation, asked))
        befores = self._look(headers, places)
        status, answer = self._forward(headers, operation, body)
        units = Units()
        if places:
            afters = self._look(headers, places) if status == http.client.OK else befores
            for (table, _), before, after in zip(places, befores, afters, strict=True):
                written = Written(table, before, after, in_transaction=operation == "TransactWriteItems")
                self._tariff.of_write(written, units)
        elif status == http.client.OK:
            self._read(operation, asked, json.loads(answer), units)
        return (status, answer) if self._book(operation, units) else _too_much()

    def _book(self, operation: str, units: Units) -> bool:
        with self._lock:
            self.account.operations[operation] += 1
            second = self.account.by_second[int(self._seconds())]
            second.add(units)
            is_too_much = any(second.writes[key] > MOST_WRITES for key in units.writes) or any(
                second.reads[key] > MOST_READS for key in units.reads
            )
            self.account.throttled += is_too_much
            return not is_too_much

    def _places(self, operation: str, asked: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Return the key of every item that a request writes."""
        match operation:
            case "TransactWriteItems":
                for item in asked["TransactItems"]:
                    ((kind, write),) = item.items()
                    if kind in _WRITES:
                        yield self._place(write)
            case "PutItem" | "UpdateItem" | "DeleteItem":
                yield self._place(asked)
            case "BatchWriteItem":
                for table, requests in asked["RequestItems"].items():
                    for request in requests:
                        yield self._place({"TableName": table, **next(iter(request.values()))})
            case _:
                return

    def _place(self, write: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        table = write["TableName"]
        return table, self._tariff.key_of(table, write.get("Key") or write["Item"])

    def _read(self, operation: str, asked: Mapping[str, Any], answer: Mapping[str, Any], units: Units) -> None:
        is_consistent, count = bool(asked.get("ConsistentRead")), self._tariff.of_read
        match operation:
            case "GetItem":
                key = self._tariff.hash_of(asked["TableName"], asked["Key"])
                found = [answer["Item"]] if "Item" in answer else []
                count(asked["TableName"], key, found, is_consistent=is_consistent, units=units)
            case "BatchGetItem":
                for table, wanted in asked["RequestItems"].items():
                    told = {
                        json.dumps(self._tariff.key_of(table, each)): each
                        for each in answer["Responses"].get(table, ())
                    }
                    for key in wanted["Keys"]:
                        item = told.get(json.dumps(self._tariff.key_of(table, key)))
                        count(
                            table,
                            self._tariff.hash_of(table, key),
                            [item] if item else [],
                            is_consistent=bool(wanted.get("ConsistentRead")),
                            units=units,
                        )
            case "Query":
                index = f"/{asked['IndexName']}" if "IndexName" in asked else ""
                key = str(next(iter(asked["ExpressionAttributeValues"].values())))
                items = answer.get("Items") or [{"counted": {"S": "x" * 700}}] * answer.get("ScannedCount", 0)
                count(f"{asked['TableName']}{index}", key, items, is_consistent=is_consistent, units=units)
            case "Scan":
                count(
                    asked["TableName"], "all of it", answer.get("Items", ()), is_consistent=is_consistent, units=units
                )
            case _:
                return

    def _look(self, headers: Mapping[str, str], places: list[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
        """Read the items as they are, without counting."""
        found: dict[tuple[str, str], dict[str, Any]] = {}
        for at in range(0, len(places), _BATCH):
            asked: dict[str, Any] = {}
            for table, key in places[at : at + _BATCH]:
                keys = asked.setdefault(table, {"Keys": [], "ConsistentRead": True})["Keys"]
                if key not in keys:
                    keys.append(key)
            while asked:
                body = json.dumps({"RequestItems": asked}).encode()
                _, answer = self._forward(headers, "BatchGetItem", body)
                told = json.loads(answer)
                for table, items in told["Responses"].items():
                    found |= {(table, _mark(self._tariff.key_of(table, item))): item for item in items}
                asked = told.get("UnprocessedKeys") or {}
        return [found.get((table, _mark(key)), {}) for table, key in places]

    def _forward(self, headers: Mapping[str, str], operation: str, body: bytes) -> tuple[int, bytes]:
        link = getattr(self._local, "link", None)
        if link is None:
            link = self._local.link = http.client.HTTPConnection(self._behind)
        named = {name: value for name, value in headers.items() if name.lower() not in {"content-length", "host"}}
        link.request("POST", "/", body, {**named, "X-Amz-Target": f"{_TARGET}{operation}"})
        response = link.getresponse()
        return response.status, response.read()


def _mark(key: Mapping[str, Any]) -> str:
    return json.dumps(key, sort_keys=True)


def _too_much() -> tuple[int, bytes]:
    name = "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"
    return http.client.BAD_REQUEST, json.dumps({"__type": name, "message": "one key has taken too much"}).encode()
