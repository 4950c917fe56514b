"""Scores of many positions: `boomslang.label`, and the labeller that it shares with the command."""
