"""Training of networks and weights, with plots."""
