"""Who edits the site, and the key for its model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.config.agent import Model, ModelKey
from webordinary.config.edit import ProjectText
from webordinary.setup.own_checks import checks_of
from webordinary.setup.plan import NewSecret, StepPlan
from webordinary.setup.question import Choice, Inquiry, as_in_the_file
from webordinary.setup.step import SetupStep
from webordinary.values import Command

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.config.statements import TomlValue
    from webordinary.findings import Check
    from webordinary.setup.desk import Desk
    from webordinary.setup.question import Given

_KINDS = (
    Choice("claude", "Claude Code, in the sandbox; it needs a key"),
    Choice("scripted", "the built-in one: it follows simple sentences without a model"),
    Choice("command", "a program of your own"),
)
_PROVIDERS = (
    Choice("anthropic", "with a key of Anthropic's"),
    Choice("login", "with the token that `claude setup-token` prints"),
    Choice("bedrock", "as AWS knows this machine"),
)


class AgentStep(SetupStep):
    """The agent."""

    name = "agent"
    title = "Agent and key"
    why = "An agent reads the mail and edits the site. Its key is kept as a secret, and never reaches the agent itself."

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:
        kind = Inquiry("kind", "Who edits the site?", choices=_KINDS)
        match given.get("kind"):
            case "claude":
                return (kind, *_of_claude(desk, given))
            case "command":
                return (kind, Inquiry("command", "Which program?", "with its words", as_in_the_file(Command)))
            case _:
                return (kind,)

    def plan(self, desk: Desk, given: Given) -> StepPlan:
        project = desk.project
        text = ProjectText(desk.text(), project).with_key(("agent", "kind"), given["kind"])
        has_key = given["kind"] == "claude" and given["provider"] != "bedrock"
        words = list(Command.read(given["command"])) if given["kind"] == "command" else None
        keys: dict[str, TomlValue] = {
            "command": words,
            "provider": given.get("provider") if given["kind"] == "claude" else None,
            "model": given.get("model") if given["kind"] == "claude" else None,
            "secret": key_name(project) if has_key else None,
        }
        for key, value in keys.items():
            text = text.with_key(("agent", key), value)
        desk.check(text.text)
        secret = (NewSecret(key_name(project), given["key"]),) if has_key and given.get("key") else ()
        return StepPlan(text.text, secret)

    def check(self, desk: Desk, given: Given) -> Iterator[Check]:  # noqa: ARG002 - the file says it all
        yield from checks_of(desk, ["project", "check", desk.project], only=("agent", "agent settings", "prices"))


def key_name(project: str) -> str:
    return f"model-key-{project}"


def _of_claude(desk: Desk, given: Given) -> Iterator[Inquiry]:
    yield Inquiry("provider", "How does it reach its model?", choices=_PROVIDERS, default="anthropic")
    if given.get("provider") in {"anthropic", "login"}:
        project = desk.find_project()
        kept = project is not None and desk.has_secret(key_name(project))
        hint = "empty: the one that is kept" if kept else "it is not shown, and kept as a secret"
        yield Inquiry("key", "What is the key?", hint, as_in_the_file(ModelKey), "" if kept else None, is_secret=True)
    yield Inquiry("model", "Which model?", "", as_in_the_file(Model), "sonnet")
