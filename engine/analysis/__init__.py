"""Analyses of games: judgements, reasons, reports, exercises, endings."""
