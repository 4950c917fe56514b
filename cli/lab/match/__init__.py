"""Matches between two engines: the games, the score and the journal of `boomslang match`."""
