"""Previews in S3: each thread has one place, worked out from its address, and no key anywhere.

A rule of the bucket removes what is old; whoever shows a preview again renews what would be soon.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from webordinary.engines.aws.s3.places import PREVIEWS, preview_place
from webordinary.engines.aws.s3.uploads import UploadRecord, Uploads
from webordinary.site.sites import PreviewShown, checked_name

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from webordinary.engines.aws.s3.bucket import Bucket
    from webordinary.engines.aws.s3.hosts import Hosts
    from webordinary.engines.aws.s3.visitor_routes import VisitorRoutes


@dataclass(frozen=True, slots=True)
class S3Previews:
    """Every thread's preview in the bucket of the sites."""

    bucket: Bucket
    routes: VisitorRoutes | None = None
    hosts: Hosts | None = None

    def show(self, project: str, thread: str, built: Path, like: UploadRecord | None) -> None:
        Uploads(self.bucket).show(preview_place(project, thread), built, like)
        alias = self.hosts.preview_alias(project, thread) if self.hosts else None
        if alias is not None and self.routes is not None:
            self.routes.put_alias(*alias)
        self._remove_earlier(project, thread)

    def all(self, project: str) -> list[PreviewShown]:
        newest: dict[str, datetime] = {}
        for found in self.bucket.stored(f"{PREVIEWS}{checked_name(project)}/"):
            thread = found.key.split("/")[2]
            newest[thread] = max(found.modified_at, newest.get(thread, found.modified_at))
        for found in self.bucket.stored(_earlier(project)):
            newest.setdefault(found.key.rpartition("/")[2].removesuffix(".json"), found.modified_at)
        return [PreviewShown(thread, shown_at) for thread, shown_at in newest.items()]

    def remove(self, project: str, thread: str) -> None:
        self.bucket.delete_folder(preview_place(project, thread))
        alias = self.hosts.preview_alias(project, thread) if self.hosts else None
        if alias is not None and self.routes is not None:
            self.routes.forget([alias[0]])
        self._remove_earlier(project, thread)

    def _remove_earlier(self, project: str, thread: str) -> None:
        """Remove what earlier versions kept of it: a record, files under another name, and a key, which goes first."""
        name = f"{_earlier(project)}{thread}.json"
        found = self.bucket.read(name)
        if found is None:
            return
        if self.routes is not None and self.hosts is not None:
            self.routes.forget([self.hosts.preview(project, thread)])
        self.bucket.delete([name])
        self.bucket.delete_folder(msgspec.json.decode(found.content, type=UploadRecord).place)


def _earlier(project: str) -> str:
    return f"{checked_name(project)}/previews/"
