"""The list of the publish targets; others come with distributions that have an entry point `webordinary.targets`."""

from __future__ import annotations

from webordinary.site.targets.target import PublishTarget
from webordinary.variants import Variants

_HERE = "webordinary.site.targets"

TARGETS: Variants[PublishTarget] = Variants(
    "webordinary.targets",
    "publish target",
    PublishTarget,
    {
        "folder": f"{_HERE}.folder:FolderTarget",
        "s3": f"{_HERE}.s3:S3Target",
        "git": f"{_HERE}.git:GitTarget",
        "rsync": f"{_HERE}.rsync:RsyncTarget",
        "sftp": f"{_HERE}.sftp:SftpTarget",
        "ftps": f"{_HERE}.ftps:FtpsTarget",
    },
)
