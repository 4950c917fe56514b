"""Training of networks and weights from games."""
