"""Engines in processes of their own, and agents."""
