"""Comparisons of search algorithms: side by side, and the nodes that each step of the search saves."""
