"""Algorithms and techniques of the search side by side, and its profile."""
