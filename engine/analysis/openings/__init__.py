"""Names of openings, found by position."""
