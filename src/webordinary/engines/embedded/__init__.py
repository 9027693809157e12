"""The embedded engine: one SQLite file, files beside it, and Unix datagrams."""
