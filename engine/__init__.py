"""The engine: rules core, search and the Python face of both."""
