"""The API under /api/v1: what the pages show and every action, for programs with a token."""
