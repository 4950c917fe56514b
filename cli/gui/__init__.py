"""Settings for chess programs and bots that start this engine."""
