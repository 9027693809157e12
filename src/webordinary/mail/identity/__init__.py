"""Whether the address in From really wrote a mail: signatures, where it came from, and what others have found."""
