"""The quick form of `make fuzz`; limits of time and memory are held there and by the reader itself."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz.examine import examine
from tests.fuzz.mutate import mutate
from tests.fuzz.seeds import HOSTILE, honest
from tests.fuzz.strategies import mails
from webordinary.mail.mime.bounded import SMALL

MUTATIONS = 400


@settings(deadline=None, database=None, max_examples=150, suppress_health_check=list(HealthCheck))
@given(mails())
def test_no_structure_breaks_a_promise(raw: bytes) -> None:
    examine(raw)


@pytest.mark.parametrize("part", [0, 1, *(pytest.param(part, marks=pytest.mark.thorough) for part in (2, 3))])
def test_no_mutation_breaks_a_promise(part: int) -> None:
    for number in range(part, MUTATIONS, 4):
        examine(mutate(honest(), number))


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_hard_to_read_is_read(name: str) -> None:
    examine(HOSTILE[name](20_000))


@pytest.mark.long
@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_hard_to_read_and_large_is_read_apart(name: str) -> None:
    examine(HOSTILE[name](2 * SMALL))
    examine(HOSTILE[name](8_000_000))


@pytest.mark.long
@pytest.mark.timeout(900)
@settings(deadline=None, database=None, max_examples=8_000, suppress_health_check=list(HealthCheck))
@given(mails())
def test_no_structure_of_many_breaks_a_promise(raw: bytes) -> None:
    examine(raw)
