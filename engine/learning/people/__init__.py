"""Training of the model of people's moves from games, and how well it does."""
