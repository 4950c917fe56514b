"""The commands that train and show networks and weights."""
