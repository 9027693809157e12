"""Inside the sandbox: a port on the loopback that leads through a socket file to the relay outside.

Run as a file by itself, with nothing but the standard library: `python -I bridge.py SOCKET PORT PROGRAM …`.
"""

from __future__ import annotations

import os
import socket
import sys
import threading

_PIECE = 65536
_SECCOMP, _FILTER = 22, 2
# The same name as in webordinary.workspace.confined.seccomp, which is not there inside.
_LAST_FILTER = "WEBORDINARY_LAST_FILTER"


def _carry(source: socket.socket, target: socket.socket) -> None:
    try:
        while piece := source.recv(_PIECE):
            target.sendall(piece)
    except OSError:
        pass
    finally:
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue


def _join(caller: socket.socket, path: str) -> None:
    with caller, socket.socket(socket.AF_UNIX) as relay:
        try:
            relay.connect(path)
        except OSError:
            return
        there = threading.Thread(target=_carry, args=(caller, relay), daemon=True)
        there.start()
        _carry(relay, caller)
        there.join()


def _serve(listener: socket.socket, path: str) -> None:
    while True:
        caller, _ = listener.accept()
        threading.Thread(target=_join, args=(caller, path), daemon=True).start()


def _narrow(code: bytes) -> None:
    """Take on a last filter of the kernel's: sockets at files were for us alone."""
    if not code:
        return
    import ctypes  # noqa: PLC0415 - it takes long, and most do not need it

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))

    program = Program(len(code) // 8, code)
    if ctypes.CDLL(None, use_errno=True).prctl(_SECCOMP, _FILTER, ctypes.byref(program), 0, 0):
        raise OSError(ctypes.get_errno(), "the kernel did not take the filter for system calls")


def main() -> None:
    """Listen in a child process and become the program: it keeps our number, our input and our output."""
    path, port, program = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    listener = socket.create_server(("127.0.0.1", port), backlog=64)
    if os.fork() == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        _serve(listener, path)
    listener.close()
    _narrow(bytes.fromhex(os.environ.pop(_LAST_FILTER, "")))
    os.execv(program[0], program)  # noqa: S606 - an argument list, never a shell


if __name__ == "__main__":
    main()
