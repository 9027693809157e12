from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import Face
from tests.rigs.embedded import EmbeddedRig
from webordinary.testing.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    rig = EmbeddedRig(tmp_path)
    told = Story(rig)
    yield told
    rig.close()


@pytest.fixture
def face(story: Story) -> Face:
    story.begin(workers=0)
    assert isinstance(story.rig, EmbeddedRig)
    return Face(story.rig.here)
