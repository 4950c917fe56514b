"""Win, draw and loss probabilities from scores."""
