"""How a release becomes live at a host, and what visitors may see while it does."""

from __future__ import annotations

import secrets
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured
from webordinary.site.targets.host_files import EntryKind, HostRefused, joined

if TYPE_CHECKING:
    from webordinary.site.targets.host_account import HostAccount


class SwitchWay(StrEnum):
    """The ways, the best one first; `auto` takes the first that the host can do."""

    AUTO = "auto"
    LINK = "link"
    RENAME = "rename"
    FILES = "files"


SEEN = {
    SwitchWay.LINK: "a link is switched: visitors see either the old site or the new one",
    SwitchWay.RENAME: "folders are renamed: between two renames, for a moment, visitors find no site",
    SwitchWay.FILES: "files are replaced one by one, pages last: for seconds visitors may see old and new ones",
}


def choose_way(account: HostAccount, wanted: str) -> SwitchWay:
    """Return the best way that the host can do and the configuration allows."""
    if account.is_link:
        return SwitchWay.LINK
    there = account.files.entry(account.to) if account.is_beside else None
    if wanted == SwitchWay.LINK:
        return _link_or_refuse(account, is_free=account.is_beside and there is None)
    if not account.is_beside or wanted == SwitchWay.FILES or (there is not None and there.kind is not EntryKind.FOLDER):
        return SwitchWay.FILES
    if wanted == SwitchWay.AUTO and there is None and _can_link(account):
        return SwitchWay.LINK
    return SwitchWay.RENAME if _can_rename(account) else SwitchWay.FILES


def _link_or_refuse(account: HostAccount, *, is_free: bool) -> SwitchWay:
    if not is_free:
        raise Misconfigured(
            f'`site.switch` is "link", and {account.to} is there already and is no link of ours; '
            "rename it at the host, and the link takes its place."
        )
    if not _can_link(account):
        raise Misconfigured('`site.switch` is "link", and this host makes no links; remove it.')
    return SwitchWay.LINK


def _can_link(account: HostAccount) -> bool:
    """Say whether a link can replace another one."""
    if not account.files.has_links:
        return False
    old, new = (joined(account.own, f".{name}-{secrets.token_hex(6)}") for name in ("old", "new"))
    try:
        account.files.make_link(old, "nowhere")
        account.files.make_link(new, "nowhere")
        account.files.rename(new, old)
        account.files.remove(old)
    except HostRefused:
        return False
    return True


def _can_rename(account: HostAccount) -> bool:
    """Say whether folders can be renamed."""
    old, new = (joined(account.own, f".{name}-{secrets.token_hex(6)}") for name in ("old", "new"))
    account.files.make_folder(old)
    try:
        account.files.rename(old, new)
    except HostRefused:
        account.files.remove_folder(old)
        return False
    account.files.remove_folder(new)
    return True
