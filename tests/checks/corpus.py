"""All cases together, and which of them are known not to hold yet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

from tests.checks import (
    cases_active,
    cases_built,
    cases_correct,
    cases_facts,
    cases_files,
    cases_hotel,
    cases_it_nl,
    cases_later,
    cases_strangers,
    cases_unseen,
    cases_words,
)

_MODULES = (
    cases_active,
    cases_facts,
    cases_unseen,
    cases_files,
    cases_words,
    cases_built,
    cases_correct,
    cases_hotel,
    cases_later,
    cases_it_nl,
    cases_strangers,
)
CASES = [case for module in _MODULES for case in module.CASES]
FAILING_FILE = Path(__file__).with_name("failing.json")


def _failing() -> dict[str, str]:
    if not FAILING_FILE.exists():
        return {}
    return cast("dict[str, str]", json.loads(FAILING_FILE.read_text(encoding="utf-8")))


# What does not hold yet, each with the point of the promise that it is about and what came out.
FAILING = _failing()
