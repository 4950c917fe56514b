"""Test suites: positions with known best moves, and how an engine does on them."""
