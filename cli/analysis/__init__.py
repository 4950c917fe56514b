"""Game analysis: searched positions, losses, accuracy, annotated PGN, JSON and report."""
