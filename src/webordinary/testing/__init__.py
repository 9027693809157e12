"""The test kit that ships with WebOrdinary: everything a test or a demo needs to play a mail through."""
