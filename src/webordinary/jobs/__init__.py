"""What one mail asks for, and the line in which it waits."""
