"""Scores for many positions: where they are read, what judges them, and where the lines are kept."""
