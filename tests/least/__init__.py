"""An agent that does more than it was asked to: what reaches visitors of that, and whether the asked part is lost."""
