"""Files of self-play games, and the positions in them: what evaluations are trained from."""
