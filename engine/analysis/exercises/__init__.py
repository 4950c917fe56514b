"""Exercises from mistakes and openings."""
