"""Pictures: the loss of a training run, a network, algorithms side by side."""
