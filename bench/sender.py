"""The clients of the SMTP benchmark, in a process of their own: only its own work is in the listener's way."""

from __future__ import annotations

import smtplib
import socket
import sys
import threading
import time
from pathlib import Path

from bench.worker import address_of

TEXT = b"We open at nine now, also on Sundays. " * 100
# Decided for real, and without a question to any name server: nobody acts on automatic mail.
MAIL = (
    b"From: scott@example.org\r\nTo: edit@edit.example.com\r\nSubject: Hours\r\nAuto-Submitted: auto-replied\r\n"
    b"Message-ID: <%d.%d@phone.example.org>\r\n\r\n" + TEXT + b"\r\n"
)


def send(port: int, client: int, mails: int, ready: threading.Barrier) -> None:
    """Send all mails of one client through one connection, each when the one before was accepted."""
    with smtplib.SMTP("127.0.0.1", port) as connection:
        connection.ehlo()
        ready.wait()
        for number in range(mails):
            connection.sendmail("scott@example.org", ["edit@edit.example.com"], MAIL % (client, number))


def main() -> int:
    """Run `python -m bench.sender FOLDER PORT CLIENTS MAILS`, and tell the benchmark how long it took."""
    folder, port, clients, mails = Path(sys.argv[1]), *map(int, sys.argv[2:])
    ready = threading.Barrier(clients + 1)
    threads = [threading.Thread(target=send, args=(port, client, mails, ready)) for client in range(clients)]
    for thread in threads:
        thread.start()
    ready.wait()
    began = time.monotonic_ns()
    for thread in threads:
        thread.join()
    took = time.monotonic_ns() - began
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as teller:
        teller.connect(address_of(folder))
        teller.send(f"smtp {took} 0".encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
