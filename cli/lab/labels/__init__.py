"""Scores of many positions: input, evaluation or search, and the resumable output of `boomslang label`."""
