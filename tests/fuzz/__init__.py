"""Mails that nobody would write, against the promise that reading them never raises, hangs or loses a line."""
