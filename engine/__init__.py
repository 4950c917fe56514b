"""The engine: the search, its face for programs, and the features that search positions."""
