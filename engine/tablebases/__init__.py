"""Endgame tables: the position looked up, and what follows for the moves at the root."""
