"""Where a thread's work lies: git, checkouts, and the walls around what runs in them."""
