"""Time management."""
