"""Chances to win, draw and lose by score."""
