"""Perft: counts of move sequences, and test suites of known counts."""
