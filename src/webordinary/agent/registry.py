"""The list of the agent kinds; others come with distributions that have an entry point `webordinary.agents`."""

from __future__ import annotations

from webordinary.agent.kind import AgentKind
from webordinary.variants import Variants

_HERE = "webordinary.agent"
SCRIPTED, CLAUDE = "scripted", "claude"

AGENTS: Variants[AgentKind] = Variants(
    "webordinary.agents",
    "agent kind",
    AgentKind,
    {
        SCRIPTED: f"{_HERE}.scripted_agent:ScriptedKind",
        CLAUDE: f"{_HERE}.claude_code:ClaudeKind",
        "acp": f"{_HERE}.acp:AcpKind",
        "command": f"{_HERE}.command:CommandKind",
    },
)
