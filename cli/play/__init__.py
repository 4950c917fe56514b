"""The game against the engine in the terminal."""
