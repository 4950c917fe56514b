"""Exercises from a player's own mistakes: collected, repeated on a schedule, exported."""
