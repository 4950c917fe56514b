"""Game-tree search as textbooks teach it, in plain Python."""
