"""What needs a person, and why: one module for each side of the installation, joined in `gather`."""
