"""Sites on this machine, and those that a project has elsewhere; previews are always shown here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.site.targets.by_target import SitesByTarget
from webordinary.site.targets.folder import FolderSites

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.config import Config
    from webordinary.site.sites import Sites


def open_sites(config: Config, in_buckets: Mapping[str, Sites]) -> SitesByTarget:
    """Return the sites of all configured projects."""
    own = FolderSites(previews=config.data / "previews", targets=config.site_folders)
    return SitesByTarget(own, config.find_project, in_buckets)
