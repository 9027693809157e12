"""Hosts and names of variables, as the configuration of the doors holds them."""

from __future__ import annotations

import re

from webordinary.config.values import text_of

_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|[0-9a-fA-F:.]{2,45}", re.ASCII)
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}", re.ASCII)


class Host(str):
    """The name or the number of a machine."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Host:
        text = text_of(value)
        if not _HOST.fullmatch(text):
            raise ValueError(f'must be a host such as "imap.example.com", without a port, not {text[:60]!r}')
        return cls(text)


class Variable(str):
    """The name of an environment variable."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Variable:
        text = text_of(value)
        if not _VARIABLE.fullmatch(text):
            raise ValueError('must be the name of a variable such as "BAKERY_IMAP_PASSWORD", without its value')
        if text.startswith("WEBORDINARY_"):
            raise ValueError("must not begin with WEBORDINARY_, because those variables set keys")
        return cls(text)
