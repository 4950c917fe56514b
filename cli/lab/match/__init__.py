"""`boomslang match`."""
