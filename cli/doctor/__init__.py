"""The checks of `boomslang doctor`."""
