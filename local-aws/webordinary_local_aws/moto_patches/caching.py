"""Caches what moto computes again for each call: it answers the same, and a test run takes some minutes less."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from moto import backends
from moto.stepfunctions.parser.asl.parse import asl_parser
from moto.stepfunctions.parser.asl.parse.asl_parser import AmazonStateLanguageParser, ASLParserException

from webordinary_local_aws.moto_patches.patch import patch_method

_DEFINITIONS = 64


def cache_what_never_changes() -> None:
    """Read each definition of a flow once, and look once which services there are."""
    _cache_definitions()
    _cache_services()


def _cache_definitions() -> None:
    @patch_method(AmazonStateLanguageParser, "parse")
    def _(_: object, definition: str) -> tuple[Any, Any]:
        tree = _tree_of(definition)
        # What is evaluated keeps what it has counted: each execution has its own.
        return asl_parser.Preprocessor().visit(tree), tree


@lru_cache(maxsize=_DEFINITIONS)
def _tree_of(definition: str) -> Any:
    heard = asl_parser.SyntaxErrorListener()
    lexer = asl_parser.ASLLexer(asl_parser.InputStream(definition))
    parser = asl_parser.ASLParser(asl_parser.CommonTokenStream(lexer))
    parser.removeErrorListeners()
    parser.addErrorListener(heard)
    tree = parser.state_machine()
    if heard.errors:
        raise ASLParserException(errors=heard.errors)
    return tree


def _cache_services() -> None:
    known = frozenset(backends.list_of_moto_modules())

    @patch_method(backends, "list_of_moto_modules")
    def _(_: object) -> frozenset[str]:
        return known
