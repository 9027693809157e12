"""Copies a site that is on the web, page by page: one host, within limits, and never from a private network."""
