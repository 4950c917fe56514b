"""Opening books."""
