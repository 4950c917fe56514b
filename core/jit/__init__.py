"""Numba: its decorators, machine instructions, and the cache of compiled kernels."""
