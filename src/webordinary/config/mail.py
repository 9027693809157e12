"""What only the mail settings hold: the servers in front of us, and a secret that is never shown."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

from webordinary.values import Listen, text_of

_SHORTEST_SECRET = 32
_DNS_PORT = 53


class Network(str):
    """One address of the internet, or all that begin alike."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Network:
        text = text_of(value)
        try:
            return cls(ip_network(text.strip()))
        except ValueError:
            example = 'must be an address or a network such as "192.0.2.25", "10.0.0.0/8" or "2001:db8::/32"'
            raise ValueError(f"{example}, not {text[:60]!r}") from None


class NameServerAddress(tuple[str, int]):
    """Where a name server answers: its address, and its port if that is not the usual one."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> NameServerAddress:
        text = text_of(value).strip()
        try:
            return cls((str(ip_address(text)), _DNS_PORT))
        except ValueError:
            pass
        try:
            host, port = Listen.read(text)
            return cls((str(ip_address(host)), port))
        except ValueError:
            example = 'must be the address of a name server such as "192.0.2.53" or "127.0.0.1:5353"'
            raise ValueError(f"{example}, not {text[:60]!r}") from None


class Secret(str):
    """A long random text that nobody else knows, and that is never shown."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Secret:
        text = text_of(value).strip()
        if len(text.encode()) < _SHORTEST_SECRET:
            raise ValueError(f"must be a random text of at least {_SHORTEST_SECRET} letters")
        return cls(text)

    def __repr__(self) -> str:
        return "Secret(…)"
