"""The documents as a site of plain pages: `make docs` builds it, `make pictures` takes pictures of the running demo."""
