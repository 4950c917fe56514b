"""The jitted tree search."""
