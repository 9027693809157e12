"""Is the decision right? Pure tests without any engine."""
