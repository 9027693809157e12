"""What is true of each engine, so that nobody asks which one it is."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from webordinary.config.shape import EngineKind
from webordinary.engine import Traits
from webordinary.routing.project import FOLDER, S3

TRAITS: Final = MappingProxyType(
    {
        EngineKind.EMBEDDED: Traits(
            store="database",
            own_target=FOLDER,
            is_one_machine=True,
            has_free_looks=True,
            has_container_workers=False,
            searches_everything=True,
            measures_by_logs=False,
        ),
        EngineKind.AWS: Traits(
            store="aws",
            own_target=S3,
            is_one_machine=False,
            has_free_looks=False,
            has_container_workers=True,
            searches_everything=False,
            measures_by_logs=True,
        ),
    }
)
