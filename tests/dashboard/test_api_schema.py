"""The OpenAPI document tells the truth: schemathesis calls everything in it, rightly and wrongly."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.core.result import Ok

from webordinary.dashboard.api.routes import ROUTES
from webordinary.dashboard.tokens import ApiTokens
from webordinary.dashboard.viewer import Role

if TYPE_CHECKING:
    from schemathesis import Case

    from tests.dashboard.face import Face


def test_the_document_names_every_route_and_every_type_that_it_speaks_of(face: Face) -> None:
    found = face.visitor().get("/api/v1/openapi.json")
    document = found.json()
    assert document["openapi"] == "3.1.0"
    operations = {each["operationId"] for path in document["paths"].values() for each in path.values()}
    assert operations == {route.name for route in ROUTES}
    spoken_of = set(re.findall(r'"#/components/schemas/([^"]+)"', found.text))
    assert spoken_of <= set(document["components"]["schemas"])


@pytest.mark.thorough
@pytest.mark.parametrize("mode", GenerationMode)
def test_every_call_is_answered_as_the_document_says(face: Face, mode: GenerationMode) -> None:
    secret = ApiTokens(face.house.sessions.folder, face.house.here.clock).add("fuzz", Role.AGENCY, (), "amy")
    headers = {"Authorization": f"Bearer {secret}", "Host": "127.0.0.1"}
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", face.app, headers=headers)
    config = settings(
        max_examples=15, deadline=None, derandomize=True, database=None, phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip

    def call(case: Case[Any]) -> None:
        case.call_and_validate(headers=headers)

    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        config(given(found.ok().as_strategy(mode))(call))()
