"""Saves a game in a PGN file, replacing it at each later save."""

from __future__ import annotations

from pathlib import Path


class Scoresheet:
    """Keeps the offset of the game in each file, so that earlier games are not overwritten."""

    def __init__(self) -> None:
        self._starts: dict[Path, int] = {}  # bytes of earlier games in each file

    def save(self, path: Path, pgn: str) -> None:
        """Append the game to a file, or replace it where it was saved before; raises OSError."""
        known = path.resolve()
        start = self._starts.get(known)
        if start is None:
            start = known.stat().st_size if known.exists() else 0
        with known.open("r+b" if known.exists() else "w+b") as file:
            file.seek(start)
            file.write((b"\n" if start else b"") + pgn.encode())
            file.flush()
            if file.tell() < known.stat().st_size:
                file.truncate()
        self._starts[known] = start

    def forget(self) -> None:
        """Start a new game; saved games stay in their files."""
        self._starts.clear()
