"""Untrusted chess text: PGN, FEN and EPD, validated before use."""
