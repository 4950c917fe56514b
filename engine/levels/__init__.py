"""Limited strength."""
