"""Sites to begin with: Amelia's Bakery in plain HTML, as the demo has it, and Flora's Flowers, which Astro builds."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path


def copy_sample_site(folder: Path, name: str = "sample_site") -> None:
    """Copy a sample site into a folder, which is created when it does not exist."""
    _copy(files("webordinary.testing") / name, folder)


def _copy(source: Traversable, folder: Path) -> None:
    # Walked by hand: a package can be read from a zip, where there is no folder that shutil could copy.
    folder.mkdir(parents=True, exist_ok=True)
    for entry in source.iterdir():
        target = folder / entry.name
        if entry.is_dir():
            _copy(entry, target)
        else:
            target.write_bytes(entry.read_bytes())
