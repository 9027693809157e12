"""Sites in a bucket: the engine's own on AWS, or one that the engine of this machine was told to open."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webordinary.routing.project import FOLDER, S3
from webordinary.site.targets.target import PublishTarget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.routing.project import Project, SiteTarget
    from webordinary.site.targets.target import EnginePlaces, Live, SiteTable

_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", re.ASCII)


class S3Target(PublishTarget):
    """A prefix for each release; what publishes there belongs to the engine, which has the driver."""

    def check(self, site: SiteTable, *, own: str) -> Iterator[tuple[str, str]]:
        if own == FOLDER and not _BUCKET.fullmatch(site.to or ""):
            yield "target", 'is "s3", so `to` must be the name of a bucket such as "sites-of-amelia"'
        if own == S3 and site.to is not None:
            yield "to", 'is not asked for with `target = "s3"`; remove it'

    def describe(self, site: SiteTarget) -> str:
        return f"the bucket {site.to or 'of the installation'}"

    def doctor(self, project: Project) -> str | None:  # noqa: ARG002 - the engine looks at its buckets itself
        return None

    def publish(self, project: Project, engine: EnginePlaces) -> Live:
        return engine.in_buckets.get(project.id, engine.own)
