"""Walls of the kernel around one program where bubblewrap does not run: Landlock, a uid of its own, no network."""
