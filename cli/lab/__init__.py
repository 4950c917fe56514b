"""Measuring and training the engine: matches, suites, self-play, labels, networks and books."""
