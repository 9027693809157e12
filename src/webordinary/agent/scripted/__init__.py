"""The built-in agent: it understands a handful of plain instructions, needs no model and no key."""
