"""Everything in one command: the doors, the workers and who watches over them."""
