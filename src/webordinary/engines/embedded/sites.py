"""Sites on this machine, and those that a project has elsewhere; previews are always shown here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.config.live import LiveProjects, LiveSiteFolders
from webordinary.site.targets.by_target import SitesByTarget
from webordinary.site.targets.folder import FolderSites

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.config.live import LiveConfig
    from webordinary.site.sites import Sites


def open_sites(live: LiveConfig, in_buckets: Mapping[str, Sites]) -> SitesByTarget:
    """Return the sites of all projects that the configuration names at any time."""
    own = FolderSites(previews=live.config.data / "previews", targets=LiveSiteFolders(live))
    return SitesByTarget(own, LiveProjects(live).find, in_buckets)
