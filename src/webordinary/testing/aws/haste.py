"""What the local server need not do again and again: it answers the same, and costs a test run some minutes less."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from moto import backends
from moto.stepfunctions.parser.asl.parse import asl_parser
from moto.stepfunctions.parser.asl.parse.asl_parser import AmazonStateLanguageParser, ASLParserException

from webordinary.testing.aws.repair import repair

_DEFINITIONS = 64


def hurry() -> None:
    """Read each definition of a flow once, and look once which services there are."""
    _remember_definitions()
    _remember_services()


def _remember_definitions() -> None:
    @repair(AmazonStateLanguageParser, "parse")
    def _(_: object, definition: str) -> tuple[Any, Any]:
        tree = _tree_of(definition)
        # What is evaluated keeps what it has counted: each execution has its own.
        return asl_parser.Preprocessor().visit(tree), tree


@lru_cache(maxsize=_DEFINITIONS)
def _tree_of(definition: str) -> Any:  # noqa: ANN401 - the parser's own
    heard = asl_parser.SyntaxErrorListener()
    lexer = asl_parser.ASLLexer(asl_parser.InputStream(definition))
    parser = asl_parser.ASLParser(asl_parser.CommonTokenStream(lexer))
    parser.removeErrorListeners()
    parser.addErrorListener(heard)
    tree = parser.state_machine()
    if heard.errors:
        raise ASLParserException(errors=heard.errors)
    return tree


def _remember_services() -> None:
    known = frozenset(backends.list_of_moto_modules())

    @repair(backends, "list_of_moto_modules")
    def _(_: object) -> frozenset[str]:
        return known
