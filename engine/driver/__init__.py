"""The compiled search as Python objects: clock, root, lines, tablebases, loading of the kernels."""
