from __future__ import annotations

import pytest

from tests.rigs.embedded_ports import AMELIA
from webordinary.engines.embedded.projects import ConfiguredProjects
from webordinary.routing.route import is_known

DOMAIN = "edit.example.com"
PROJECTS = ConfiguredProjects([AMELIA])


@pytest.mark.parametrize(
    "address",
    [
        "amelia@edit.example.com",
        "Amelia@Edit.Example.COM",
        "amelia+scott@edit.example.com",
        "scott@amelia.edit.example.com",
        "edit@edit.example.com",
        "re+abcdefghijklmnop@edit.example.com",
        "postmaster@edit.example.com",
        "abuse@edit.example.com",
    ],
)
def test_these_addresses_can_be_written_to(address: str) -> None:
    assert is_known(address, PROJECTS, DOMAIN)


@pytest.mark.parametrize(
    "address",
    [
        "flora@edit.example.com",
        "scott@flora.edit.example.com",
        "scott@sub.amelia.edit.example.com",
        "@amelia.edit.example.com",
        "re@edit.example.com",
        "amelia@example.com",
        "amelia@evil-edit.example.com",
        "amelia",
        "postmaster",
        "",
        "@",
        "amelia@edit.example.com@elsewhere.example",
    ],
)
def test_nobody_is_behind_these(address: str) -> None:
    assert not is_known(address, PROJECTS, DOMAIN)
