"""The commands that measure and train the engine, and those for many games or positions."""
