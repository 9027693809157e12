"""An exhaustive model of the dispatch protocol, and the proof that its checks can fail."""
