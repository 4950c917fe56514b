"""`boomslang people`."""
