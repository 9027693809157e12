"""What happened, and who did it: the audit log."""
