"""The answer: one mail in the thread, in plain words."""
