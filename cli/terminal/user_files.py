"""The place of the user's own files."""

from __future__ import annotations

from pathlib import Path


def user_file(name: str) -> Path:
    """A file in the user's folder for data of programs, `~/.local/share/boomslang` on Linux."""
    import platformdirs

    return platformdirs.user_data_path("boomslang", appauthor=False) / name
