"""The commands that play games of the engine against itself, and show the files of these."""
