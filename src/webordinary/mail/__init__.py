"""A mail: who wrote it, what it belongs to, and the words the person wrote."""
