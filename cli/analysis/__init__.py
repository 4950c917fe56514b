"""Games judged move by move: positions searched, losses and accuracy, annotated PGN, JSON."""
