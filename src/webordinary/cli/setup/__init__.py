"""`webordinary setup`: the guided walk in the terminal."""
