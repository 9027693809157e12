"""The OpenAPI 3.1 document, made from the table of routes and the types that check what is taken and given."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.dashboard.api.problems import KIND
from webordinary.dashboard.api.shapes import ToldProblem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.dashboard.api.call import ApiRoute

_WHERE = "#/components/schemas/{name}"
_LONGEST_NAME = 400


@cache
def document(routes: tuple[ApiRoute, ...]) -> dict[str, Any]:
    """Return the whole description."""
    kinds = [
        ToldProblem,
        *(each.answer for each in routes if each.answer),
        *(each.body for each in routes if each.body),
    ]
    _, components = msgspec.json.schema_components(kinds, ref_template=_WHERE)
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "WebOrdinary", "version": version("webordinary"), "description": _DESCRIPTION},
        "servers": [{"url": "/api/v1"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


_DESCRIPTION = (
    "What the dashboard shows and does, for programs. Lists are paged: give `next` as `after` until there is none."
    " What makes work takes an `Idempotency-Key`: the same key with the same body has the same answer, and makes no"
    " second job. What is refused is told as application/problem+json."
)


def _operation(route: ApiRoute) -> dict[str, Any]:
    made: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.tells,
        "description": f"For tokens of the role {route.role} and those above it.",
        "parameters": list(_parameters(route)),
        "responses": dict(_answers(route)),
    }
    if route.body is not None:
        made["requestBody"] = {"required": True, "content": {"application/json": {"schema": _named(route.body)}}}
    return made


def _parameters(route: ApiRoute) -> Iterator[dict[str, Any]]:
    for name in route.params:
        schema = {"type": "string", "minLength": 1, "maxLength": _LONGEST_NAME}
        yield {"name": name, "in": "path", "required": True, "schema": schema}
    (described,), components = msgspec.json.schema_components([route.query], ref_template=_WHERE)
    inside = components[described["$ref"].rpartition("/")[2]]
    for name, schema in inside["properties"].items():
        yield {"name": name, "in": "query", "required": False, "schema": _inlined(schema, components)}
    if route.takes_key:
        schema = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"}
        yield {"name": "Idempotency-Key", "in": "header", "required": False, "schema": schema}


def _inlined(schema: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    """Return a parameter's type as it stands in a query: what may be left out is never written as null."""
    options = [each for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]
    found = options[0]
    if "$ref" in found:
        found = components[found["$ref"].rpartition("/")[2]]
    return {name: value for name, value in found.items() if name not in {"default", "title"}}


def _answers(route: ApiRoute) -> Iterator[tuple[str, dict[str, Any]]]:
    done = HTTPStatus(route.status)
    # A file has the type that its content has.
    content = {"application/json": {"schema": _named(route.answer)}} if route.answer else {"*/*": {}}
    yield str(done.value), {"description": done.phrase, "content": content}
    for status in _problems(route):
        told = {"description": status.phrase, "content": {KIND: {"schema": _named(ToldProblem)}}}
        yield str(status.value), told


def _problems(route: ApiRoute) -> Iterator[HTTPStatus]:
    yield from (HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
    yield from (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.SERVICE_UNAVAILABLE)
    if route.method == "POST":
        yield from (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY)
    if route.body is not None:
        yield HTTPStatus.UNSUPPORTED_MEDIA_TYPE


def _named(kind: type[Any]) -> dict[str, Any]:
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=_WHERE)
    return schema
