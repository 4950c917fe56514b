"""Playing: games in the terminal, the board in the browser, settings of GUIs, Lichess."""
