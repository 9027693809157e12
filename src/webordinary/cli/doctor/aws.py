"""What `webordinary doctor` looks at on AWS: the account, every table, bucket and queue, and who works."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from webordinary.config import Config
from webordinary.errors import WebOrdinaryError
from webordinary.findings import Check, fail, ok, warn
from webordinary.overview import EVERY
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from webordinary.engines.aws.account.account import Account
    from webordinary.engines.aws.account.parts import Part
    from webordinary.engines.installation import Installation


def check_account(config: Config) -> Iterator[Check]:
    """Check that the account can be used and that everything of the prefix is there."""
    from webordinary.engines.choose import open_account  # noqa: PLC0415 - heavy

    try:
        yield from check_parts(config, open_account(config))
    except WebOrdinaryError as problem:
        yield fail("aws", str(problem))


def check_parts(config: Config, account: Account) -> Iterator[Check]:
    """Check that every part of the installation is there."""
    lanes = [Lane(project.id, editor.user) for project in config.projects for editor in project.editors]
    parts = list(account.parts.all(lanes))
    yield ok("aws", f"account {account.number}, region {account.region}, prefix {config.aws.prefix}")
    for kind in ("table", "bucket", "queue", "function", "flow"):
        yield _kind(kind, [part for part in parts if part.kind == kind])


def _kind(kind: str, parts: Sequence[Part]) -> Check:
    missing = [part.name for part in parts if not part.is_there]
    name = kind if len(parts) == 1 else f"{kind}s"
    if not missing:
        return ok(name, "it is there" if len(parts) == 1 else f"all {len(parts)} are there")
    todo = "`webordinary aws onboard PROJECT` makes those of a project" if kind == "queue" else "deploy the stack"
    return fail(name, f"{', '.join(missing)} missing: check prefix and region; {todo}")


def check_workers(here: Installation) -> Check:
    """Say who works: owners by their leases, the others by their own word."""
    owners = {lane.owner for lane in here.engine.overview.lanes(here.clock.now(), limit=EVERY) if lane.owner}
    waiting = {worker.worker for worker in here.engine.overview.workers() if worker.idle} - owners
    if not owners and not waiting:
        return warn("workers", "none is known: the service starts one when a mail comes, or run `webordinary work`")
    return ok("workers", f"{len(owners)} own a lane, {len(waiting)} said that they wait for one")
