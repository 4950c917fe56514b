"""Plots: losses of a training run, hidden units of a network, nodes of algorithms."""
