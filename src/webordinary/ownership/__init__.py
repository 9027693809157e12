"""Which worker owns which lane, and what only the owner may write."""
