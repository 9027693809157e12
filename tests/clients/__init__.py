"""Replies as the mail programs of the world write them, to be read by the product."""
