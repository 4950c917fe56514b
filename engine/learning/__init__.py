"""Self-play, files of its games, and training from them."""
