"""The commands that set the engine up: `doctor`, `warmup`, `where`, `completion`."""
