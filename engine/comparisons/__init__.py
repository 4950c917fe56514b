"""What a reader can learn from: algorithms side by side, and what each step of the search saves."""
