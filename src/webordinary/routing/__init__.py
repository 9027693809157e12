"""For which project and lane a mail is meant."""
