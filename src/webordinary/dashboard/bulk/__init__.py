"""One action on many things: what a filter hits is frozen, shown, confirmed, and done one after the other."""
