"""The neural network that evaluates positions, trained on self-play games."""
