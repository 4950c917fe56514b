"""Input and output at the terminal: arguments, help texts, progress bars, tables."""
