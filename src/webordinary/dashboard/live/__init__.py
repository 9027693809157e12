"""Pages that renew themselves: one reader of the trail for all viewers, and streams that say only what has changed."""
