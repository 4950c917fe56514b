"""The commands that show algorithms and techniques of the search side by side, and its profile."""
