"""The local AWS server: moto, patched, in a process of its own, with our functions behind its Lambda."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
import time
import urllib.request
import zipfile
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypedDict, TypeVar

import boto3

from webordinary.child import Child
from webordinary.errors import Misconfigured
from webordinary_local_aws.lambda_host import LambdaHost

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_stepfunctions import SFNClient

    from webordinary_local_aws.lambda_host import Function

Client = TypeVar("Client")

MOTO = "5.2.5"
REGION = "eu-central-1"
ACCOUNT = "123456789012"

_FOUND_IN = Path(__file__).parents[1]
_STARTING = timedelta(seconds=60)
_LOOKING_AGAIN = timedelta(milliseconds=10)
_ROLE = f"arn:aws:iam::{ACCOUNT}:role/local"


class Connection(TypedDict):
    """What a client is made with: `boto3.client("sqs", **aws.connection())`."""

    endpoint_url: str
    region_name: str
    aws_access_key_id: str
    aws_secret_access_key: str


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail as SES was given it."""

    to: tuple[str, ...]
    raw: bytes


class LocalAws:
    """Starts empty and forgets everything when it is closed; it ends with the process that started it.

    `without` names patches (see moto_patches/every.py) to leave out, which shows what they are for.
    """

    def __init__(self, *, without: Collection[str] = ()) -> None:
        check_moto(installed_moto())
        self.lambdas = LambdaHost()
        self._clients: list[Any] = []
        self._port = ""
        self._known = threading.Event()
        program = [sys.executable, "-m", "webordinary_local_aws.program", self.lambdas.url, *without]
        # Its input is held open for as long as we live: when that ends, so does the server.
        self._child = Child(program, cwd=Path.cwd(), env=_environment(), hold_input=True, on_line=self._read)
        self.pid = self._child.pid
        try:
            self._await_port()
            self._make_role()
        except BaseException:
            self.close()
            raise

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def connection(self) -> Connection:
        return {
            "endpoint_url": self.endpoint,
            "region_name": REGION,
            "aws_access_key_id": "local",
            "aws_secret_access_key": "local",
        }

    def environment(self) -> dict[str, str]:
        """Return what a process needs to find this server instead of Amazon's; nothing of a person's own account."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_ACCOUNT_ID": ACCOUNT,
            "AWS_ACCESS_KEY_ID": "local",
            "AWS_SECRET_ACCESS_KEY": "local",
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
            "AWS_EC2_METADATA_DISABLED": "true",
        }

    def deploy(self, name: str, function: Function) -> str:
        """Make a Lambda whose calls reach this function; return its ARN."""
        self.lambdas.offer(name, function)
        made = self._functions.create_function(
            FunctionName=name,
            Runtime="python3.12",
            Role=_ROLE,
            Handler="elsewhere.function",
            Code={"ZipFile": _no_code()},
        )
        return str(made["FunctionArn"])

    def outcome_of(self, execution: str, patience: timedelta = timedelta(seconds=120)) -> Mapping[str, Any]:
        """Wait for the end of an execution and return its description; the running one when patience ends."""
        until = time.monotonic() + patience.total_seconds()
        pause = threading.Event()
        while True:
            description: Mapping[str, Any] = self._states.describe_execution(executionArn=execution)
            if description["status"] != "RUNNING" or time.monotonic() >= until:
                return description
            pause.wait(_LOOKING_AGAIN.total_seconds())

    def letters(self) -> list[Letter]:
        """Return every mail that SES has sent, in their order; all installations of the server share them."""
        with urllib.request.urlopen(f"{self.endpoint}/local/letters", timeout=30) as answer:  # noqa: S310 - loopback
            return [Letter(tuple(told["to"]), told["raw"].encode()) for told in json.load(answer)]

    def close(self) -> None:
        """End the functions that run, then the server; may be called twice."""
        for client in self._clients:
            client.close()
        self.lambdas.close()
        self._child.stop(timedelta(0))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, line: str) -> None:
        if not self._known.is_set():
            self._port = line.strip()
            self._known.set()

    def _await_port(self) -> None:
        # The end of the process is noticed by its own thread, so that nobody waits for a port that never comes.
        threading.Thread(target=self._note_end, name="local-aws", daemon=True).start()
        if not self._known.wait(_STARTING.total_seconds()) or not self._port:
            self._child.stop(timedelta(0))
            words = self._child.wait().stderr.decode(errors="replace").strip().splitlines()[-1:]
            raise Misconfigured(f"The local AWS server did not start ({' '.join(words)}); install the test set anew.")

    def _note_end(self) -> None:
        self._child.wait()
        self._known.set()

    @cached_property
    def _functions(self) -> LambdaClient:
        client: LambdaClient = boto3.client("lambda", **self.connection())
        return self._kept(client)

    @cached_property
    def _states(self) -> SFNClient:
        client: SFNClient = boto3.client("stepfunctions", **self.connection())
        return self._kept(client)

    def _kept(self, client: Client) -> Client:
        """Make a client once, which takes longer than what it does here, and close it in the end."""
        self._clients.append(client)
        return client

    def _make_role(self) -> None:
        client = boto3.client("iam", **self.connection())
        try:
            client.create_role(RoleName="local", AssumeRolePolicyDocument="{}")
        finally:
            client.close()


def installed_moto() -> str | None:
    try:
        return metadata.version("moto")
    except metadata.PackageNotFoundError:
        return None


def check_moto(version: str | None) -> None:
    """Refuse any moto but the one that was patched: the patches reach into its insides and fit no other."""
    if version != MOTO:
        found = f"but moto {version} is installed" if version else "and it is not installed"
        raise Misconfigured(
            f"The local AWS server needs moto {MOTO} exactly, {found}: pip install 'moto[server]=={MOTO}'."
        )


def _environment() -> dict[str, str]:
    """Leave out what would send the server's own calls to somebody's real account; it is found where we were found."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "MOTO_"))}
    return {**plain, "PYTHONPATH": os.pathsep.join(filter(None, (str(_FOUND_IN), plain.get("PYTHONPATH"))))}


def _no_code() -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("elsewhere.py", "")
    return archive.getvalue()
