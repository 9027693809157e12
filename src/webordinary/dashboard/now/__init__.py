"""What happens at this moment, and the truth about what seems to be stuck."""
