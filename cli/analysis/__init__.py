"""The commands about games that have been played, and what they print: analyses, exercises, endings."""
