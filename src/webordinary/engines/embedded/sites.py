"""Sites on this machine: every project's target is a folder here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.site.targets.folder import FolderSites

if TYPE_CHECKING:
    from webordinary.config import Config


def open_sites(config: Config) -> FolderSites:
    """Return the sites of all configured projects."""
    targets = {project.id: Path(project.site.to) for project in config.projects}
    return FolderSites(previews=config.data / "previews", targets=targets)
