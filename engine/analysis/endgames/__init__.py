"""Endings to practise."""
