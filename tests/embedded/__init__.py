"""What is special to the embedded engine."""
