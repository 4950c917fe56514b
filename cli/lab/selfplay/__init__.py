"""Shared parts of the commands for self-play and training data."""
