"""The input of an analysis: PGN files, and folders of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from boomslang.engine.core.system.files import FileError, shown


def game_files(paths: Sequence[Path], result: Path | None = None) -> list[Path]:
    """The files, each folder replaced by its PGN files in alphabetical order, without its subfolders.

    The annotated copy with the stem `result`, of an earlier run, is left out of folders. Raises FileError for
    a folder without PGN files.
    """
    copy = result.with_name(f"{result.name}.pgn").resolve() if result else None
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        try:
            inside = sorted(file for file in path.iterdir() if _is_games(file))
        except OSError as problem:
            reason = (problem.strerror or str(problem)).lower()
            raise FileError(f"cannot read {shown(path)}: {reason}") from None
        inside = [file for file in inside if file.resolve() != copy]
        if not inside:
            raise FileError(f"{shown(path)} has no file with the ending .pgn")
        files += inside
    return files


def usual_stem(paths: Sequence[Path]) -> Path:
    """The name of the results without --out, in the current folder."""
    first = paths[0]
    name = first.resolve().name if first.is_dir() else first.stem
    others = f"-and-{len(paths) - 1}-more" if len(paths) > 1 else ""
    return Path(f"{name}{others}-analysed")


def _is_games(path: Path) -> bool:
    return path.suffix.lower() == ".pgn" and not path.is_dir()
