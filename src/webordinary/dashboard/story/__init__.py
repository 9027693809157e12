"""What the page of a job tells: gathered from what is kept, cut to what anybody reads, and harmless."""
