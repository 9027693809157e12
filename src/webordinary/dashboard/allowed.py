"""Whom a provider's word lets in, and as what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from webordinary.dashboard.viewer import Viewer
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webordinary.config.dashboard import AllowSection, OpenidSection

_LONGEST_NAME = 200
_MOST_GROUPS = 500


class Told(msgspec.Struct, frozen=True):
    """What a provider has told us of a person, as far as we use it."""

    name: str
    # Only one that the provider has verified.
    address: str = ""
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Allowed:
    """The rules of the configuration; they are asked again for each page, so that a changed one counts at once."""

    # What the file says now, not what it said when the dashboard began.
    read_rules: Callable[[], OpenidSection]

    def told(self, claims: Mapping[str, object]) -> Told:
        """Return what counts of a provider's claims; an address counts only if it says that it was verified."""
        address = claims.get("email")
        is_verified = claims.get("email_verified") is True
        groups = claims.get(self.read_rules().groups_claim)
        named = [each for each in groups if isinstance(each, str)] if isinstance(groups, list) else []
        verified = fold_address(address) if isinstance(address, str) and is_verified else ""
        return Told((verified or _unproven(claims))[:_LONGEST_NAME], verified, tuple(named[:_MOST_GROUPS]))

    def viewer(self, told: Told) -> Viewer | None:
        """Return who this is here; None if no rule lets them in."""
        rule = next((rule for rule in self.read_rules().allow if _fits(rule, told)), None)
        return Viewer(told.name, rule.role, tuple(map(str, rule.projects))) if rule else None

    def again(self, proof: str) -> Viewer | None:
        """Return who this is by now, by what the provider told when they came."""
        try:
            return self.viewer(msgspec.json.decode(proof, type=Told))
        except msgspec.DecodeError:
            return None


def _unproven(claims: Mapping[str, object]) -> str:
    """Return a name that nobody else has: what people call themselves may be the address of somebody else."""
    sub, chosen = str(claims["sub"]), str(claims.get("preferred_username") or "")
    name = f"{sub} ({chosen})" if chosen else f"{sub} (unverified)"
    return "".join(letter for letter in name if letter.isprintable())


def _fits(rule: AllowSection, told: Told) -> bool:
    if rule.address is not None:
        return bool(told.address) and fold_address(rule.address) == told.address
    if rule.domain is not None:
        return told.address.rpartition("@")[2] == rule.domain and bool(told.address)
    return rule.group is not None and rule.group in told.groups
