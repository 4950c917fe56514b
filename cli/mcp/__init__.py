"""The Model Context Protocol: the engine as tools for language models."""
