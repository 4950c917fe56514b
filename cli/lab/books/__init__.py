"""`boomslang book`."""
