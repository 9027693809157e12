"""The agency's face: pages in a browser over the read side, and the same actions as the command line."""
