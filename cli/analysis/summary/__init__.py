"""Summary of a player's analysed games: openings, phases, kinds of errors."""
