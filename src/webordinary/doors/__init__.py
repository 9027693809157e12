"""The doors through which mail comes in, on either engine."""
