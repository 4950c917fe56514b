"""Settings of chess GUIs and bots for this engine."""
