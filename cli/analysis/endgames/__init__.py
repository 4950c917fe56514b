"""`boomslang endgames`, in the terminal."""
