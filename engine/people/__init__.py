"""A model of people's moves: what players of a rating play in a position, and how often."""
