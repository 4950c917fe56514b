"""Rules of chess, Numba and the ground under them: what all else stands on."""
