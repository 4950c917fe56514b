"""Games of the engine against itself: data, duels, tuning, calibration."""
