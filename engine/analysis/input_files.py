"""The input of an analysis, and of commands that read its results: files, and folders of them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

from boomslang.core.system.files import FileError, beside, cannot, is_folder, quote_path
from boomslang.engine.analysis.stored import is_analysis

Item = TypeVar("Item")

ANALYSED: Final = "-analysed"  # the end of the usual name of results
_USUAL: Final = re.compile(rf"(.+?)(?:-and-\d+-more)?{ANALYSED}", re.DOTALL)


def game_files(paths: Sequence[Path], result: Path | None = None) -> list[Path]:
    """The files, each folder replaced by its PGN files in alphabetical order, without its subfolders.

    Annotated copies, of earlier runs, are left out of folders: that with the stem `result`, and those with
    the usual name that lie beside their source. Raises FileError for a folder without other PGN files.
    """
    copy = os.path.realpath(beside(result, "pgn")) if result else None

    def games(inside: Sequence[Path]) -> list[Path]:
        files = [file for file in inside if _is_pgn(file) and os.path.realpath(file) != copy]
        sources = {file.stem for file in files} | {file.parent.resolve().name for file in files[:1]}
        # Where nothing else lies there, a copy is all that is left of the games.
        return [file for file in files if _copied_stem(file) not in sources] or files

    return _expand(paths, games, "file with the ending .pgn")


def _copied_stem(file: Path) -> str | None:
    """The stem of the file that an annotated copy with the usual name was made of; None for other names."""
    usual = _USUAL.fullmatch(file.stem)
    return usual and usual[1]


def report_files(paths: Sequence[Path]) -> list[Path]:
    """The files, each folder replaced by its results of `boomslang analyse` and its other PGN files.

    Of the results with one name the JSON is taken, and the PGN that they are made of is left out beside it.
    JSON comes first, as it has the lines of all moves. Raises FileError for a folder without any.
    """
    return _expand(paths, choose_reports, "results of boomslang analyse")


def read_all(
    named: Sequence[Path], files: Sequence[Path], read: Callable[[Path], Iterable[Item]]
) -> tuple[list[tuple[Path, Item]], list[str]]:
    """What `read` finds in the files, each with its file; and why others were left out.

    Only files out of folders are. Raises FileError for one of those that are `named`, or if none is left.
    """
    items: list[tuple[Path, Item]] = []
    problems: list[str] = []
    for path in files:
        try:
            items += [(path, item) for item in read(path)]
        except FileError as problem:
            if path in named or (len(problems) + 1 == len(files)):
                raise
            problems.append(f"left out: {problem}")
    return items, problems


def _is_inner_folder(path: Path) -> bool:
    with suppress(FileError):  # reading it will say why
        return is_folder(path)
    return False


def choose_reports(inside: Sequence[Path]) -> list[Path]:
    """What `report_files` takes of the files in one folder."""
    analysed = [file for file in inside if file.suffix.lower() == ".json" and is_analysis(file)]
    stems = {file.stem for file in analysed}
    others = [
        file
        for file in inside
        if _is_pgn(file) and not stems & {file.stem, f"{file.stem}{ANALYSED}"}
    ]
    return [*analysed, *others]


def _expand(
    paths: Sequence[Path], choose: Callable[[Sequence[Path]], Sequence[Path]], lacking: str
) -> list[Path]:
    """The files, each folder replaced by what is chosen of its files; raises FileError if that is nothing."""
    files: list[Path] = []
    for path in paths:
        if not is_folder(path):
            files.append(path)
            continue
        try:
            inside = sorted(file for file in path.iterdir() if not _is_inner_folder(file))
        except OSError as problem:
            raise cannot("read", path, problem) from None
        chosen = choose(inside)
        if not chosen:
            raise FileError(f"{quote_path(path)} has no {lacking}")
        files += chosen
    return files


def usual_stem(paths: Sequence[Path]) -> Path:
    """The name of the results without --out, in the current folder."""
    first = paths[0]
    name = first.resolve().name if is_folder(first) else first.stem.strip("-") or "stdin"
    others = f"-and-{len(paths) - 1}-more" if len(paths) > 1 else ""
    return Path(f"{name}{others}{ANALYSED}")


def _is_pgn(path: Path) -> bool:
    return path.suffix.lower() == ".pgn"
