"""Reasons of bad moves: facts on boards and lines, each proved by a search before it is said."""
