"""The site of Amelia's Bakery, as the demo and the tests begin with it."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path


def copy_sample_site(folder: Path) -> None:
    """Copy the sample site into a folder, which is created when it does not exist."""
    _copy(files("webordinary.testing") / "sample_site", folder)


def _copy(source: Traversable, folder: Path) -> None:
    # Walked by hand: a package can be read from a zip, where there is no folder that shutil could copy.
    folder.mkdir(parents=True, exist_ok=True)
    for entry in source.iterdir():
        target = folder / entry.name
        if entry.is_dir():
            _copy(entry, target)
        else:
            target.write_bytes(entry.read_bytes())
