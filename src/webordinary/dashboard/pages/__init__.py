"""One module for each page: what it shows, and the routes that lead to it."""
