"""The network that judges positions: learnt from games of the engine against itself."""
