"""AWS on this machine: a local server that keeps Amazon's promises where ours lean on them."""
