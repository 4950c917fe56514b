"""Files of self-play games, and the positions in them: the training data of evaluations."""
