"""Test suites of positions with known best moves: reading, solving, comparing, making."""
