"""The generic worker: claims a lane, works through it, gives it up."""
