"""Chaos: kill, stop, lose and repeat; then check every promise in what the trail tells."""
