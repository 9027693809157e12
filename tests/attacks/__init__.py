"""Attacks on the walls, made from inside: on every rung, as root and as a user. `SECURITY.md` names them."""
