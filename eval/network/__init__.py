"""The network that evaluates positions: learnt from games of the engine against itself."""
