"""Games as data: PGN read by compiled code, as columns."""
