"""Games of the engine against itself: data, matches, tuning."""
