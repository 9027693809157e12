"""Logins at mail providers: tokens, flows and mail servers, each of them real, on loopback."""
