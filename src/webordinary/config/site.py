"""The table of a project's site: the publish target, the place, and the keys that the built-in targets bring along."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import field

from webordinary.config.options import joined_keys, plain_keys, plain_options
from webordinary.routing.project import SiteTarget
from webordinary.site.targets.registry import TARGETS
from webordinary.values import PublishPlace, Section, WebAddress, text_of
from webordinary.variants import complaints_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webordinary.config.lines import KeyPath


class TargetName(str):
    """The name of a publish target, built in or from outside."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> TargetName:
        return cls(TARGETS.checked(text_of(value)))


class EverySite(Section, frozen=True, kw_only=True):
    """Where the site is published."""

    target: TargetName | None = None
    """The kind of place that the site is published to; `folder` if it is left out, `s3` on AWS."""
    to: PublishPlace | None = None
    """A folder (else `sites/ID` in the data folder), a bucket, `USER@HOST:FOLDER`, or `ftps://USER@HOST/FOLDER`."""
    url: WebAddress | None = None
    """The public address of the site, for links in answers; needed wherever others show it."""
    options: dict[str, Any] = field(default_factory=dict)
    """What a target from outside asks for, as its own documentation says."""

    def elsewhere(self, target: str, folder: Path) -> SiteTarget:
        """Return where the site is published; relative places begin at the folder of the configuration file."""
        url = None if self.url is None else str(self.url)
        return SiteTarget(target, str(self.to or ""), url, self._options_of(target, folder))

    def _options_of(self, target: str, folder: Path) -> dict[str, Any]:
        shape = TARGETS.find(target).options
        if shape is None or target not in TARGETS.built_in:
            return plain_options(shape, self.options, folder)
        return plain_keys(shape(**{key: getattr(self, key) for key in shape.__struct_fields__}), folder)


_KEYS = {name: target.options for name in TARGETS.built_in if (target := TARGETS.find(name)).options is not None}

if TYPE_CHECKING:
    SiteSection = EverySite
else:
    SiteSection = joined_keys(EverySite, "SiteSection", tuple(_KEYS.values()))


def complaints_about_site(site: SiteSection, path: KeyPath, *, own: str) -> Iterator[tuple[KeyPath, str]]:
    """Say what does not fit together; `own` is the target that the engine itself has."""
    name = str(site.target or own)
    yield from (((*path, key), why) for key, why in _not_for(site, name))
    with TARGETS.answering(name) as target:
        complaints = complaints_of(target.check(site, own=own))
    yield from (((*path, key), why) for key, why in complaints)
    if name != own and site.url is None:
        yield (*path, "target"), f'is "{name}", so `url` must say where visitors find the site'


def _not_for(site: SiteSection, name: str) -> Iterator[tuple[str, str]]:
    """Refuse keys that only other targets read."""
    readers = {other: shape.__struct_fields__ for other, shape in _KEYS.items()}
    mine = {*readers.get(name, ()), *EverySite.__struct_fields__}
    for key in (key for key in site.__struct_fields__ if key not in mine and getattr(site, key)):
        others = " or ".join(f'`target = "{other}"`' for other, keys in readers.items() if key in keys)
        yield key, f"is only for {others}; remove it"
    if site.options and (name in TARGETS.built_in or TARGETS.find(name).options is None):
        yield "options", f'is not asked for with `target = "{name}"`; remove it'
