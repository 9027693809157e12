"""Rules of dispatch that only one engine asks for."""
