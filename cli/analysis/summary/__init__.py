"""`boomslang summary`."""
