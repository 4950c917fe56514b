"""Who plays in a match: this engine, an earlier commit of it, or any program that speaks UCI."""

from __future__ import annotations

import hashlib
import io
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import chess.engine
from filelock import FileLock, Timeout

from boomslang.engine.core.system import installation
from boomslang.engine.core.system.cache import ENVIRONMENT, UNUSED_DAYS, base_folder
from boomslang.engine.core.system.ending import guarded
from boomslang.engine.core.system.trust import own_folder
from boomslang.engine.jobs.programs import why_not_startable
from boomslang.engine.jobs.uci_engine import UciCommand, start

OURS: Final = "."
THIS: Final = "this version"
COMMIT: Final = "@"
USUAL: Final = {"Hash": "16", "Threads": "1"}  # for engines that have these options
_ROOT: Final = Path(installation.FOLDER)
# Since 3.11.4; before that nothing of an archive is checked.
_SAFELY: Final[dict[str, Any]] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
_COMPILING: Final = 600.0  # seconds for the kernels; plain Python shall not play meanwhile
_ROOMS: Final = ("engine", "eval", "perft", "uci")
_ENTRANCES: Final = ("cli", "uci")  # the package that is the command, the younger name first
# A commit's own packages come first, whatever else is installed.
_RUN: Final = (
    "import runpy, sys; sys.path.insert(0, sys.argv.pop(1));"
    " runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """An engine and its options.

    `commit` is the full name of one of this repository, or empty; `digest` that of all files that the engine
    is known to consist of, by which another one of the same name is told apart.
    """

    name: str
    command: tuple[str, ...]
    commit: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    digest: str = ""


def described(text: str, options: Mapping[str, str]) -> EngineSpec:
    """Who is meant by `.`, `@REVISION` or a command line; raises ValueError."""
    given = [Path(value) for value in options.values() if Path(value).is_file()]
    if text == OURS:
        own = [path for room in _ROOMS for path in (_ROOT / room).rglob("*.*")]
        command = (sys.executable, "-P", installation.ENTRY_POINT)
        return EngineSpec(THIS, command, "", options, _digest([*own, *given]))
    if text.startswith(COMMIT):
        commit = _git("rev-parse", "--verify", f"{text.removeprefix(COMMIT)}^{{commit}}")
        _folder_of_commits()
        return EngineSpec(text, (), commit, options, _digest(given))
    words = shlex.split(text)
    if not words:
        raise ValueError("an engine needs a command")
    if reason := why_not_startable(words[0]):
        raise ValueError(f"it cannot be started: {reason}")
    found = shutil.which(words[0])
    program = [Path(found)] if found else []
    return EngineSpec(Path(words[0]).stem, tuple(words), "", options, _digest([*program, *given]))


def _digest(paths: list[Path]) -> str:
    """Of the contents of files, in the order of their names."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def started(contestant: EngineSpec) -> chess.engine.SimpleEngine:
    """Its process, with its options set.

    Raises OSError or ValueError if there is no such commit here, and UciEngineError.
    """
    command = _of_commit(contestant.commit) if contestant.commit else contestant.command
    return start(
        UciCommand(tuple(command), contestant.options),
        USUAL,
        ready_within=_COMPILING,
        env={"BOOMSLANG_READY_WITHIN": str(_COMPILING)} | os.environ,
    )


def _folder_of_commits() -> Path:
    """Where they are unpacked; raises ValueError if somebody else could exchange them there."""
    try:
        return own_folder(base_folder() / "commits")
    except OSError as problem:
        raise ValueError(
            f"cannot keep it in {problem.filename}: {problem.strerror}; "
            f"name another folder in {ENVIRONMENT}"
        ) from None


def _of_commit(commit: str) -> list[str]:
    """The command of a commit, whose files are unpacked and whose kernels are compiled."""
    folder = _folder_of_commits() / commit
    with FileLock(folder.with_name(f"{commit}.lock")):
        if not folder.exists():
            archive = io.BytesIO(_run_git("archive", "--format=tar", commit))
            new = Path(tempfile.mkdtemp(dir=folder.parent))
            try:
                with tarfile.open(fileobj=archive) as tar:
                    tar.extractall(new, **_SAFELY)  # noqa: S202 - an archive of our own commit
                new.rename(folder)
            except BaseException:
                shutil.rmtree(new, ignore_errors=True)
                raise
        own_folder(folder)
        with suppress(OSError):
            os.utime(folder)  # it is wanted
        entrances = [name for name in _ENTRANCES if (folder / name / "__main__.py").exists()]
        if not entrances:
            raise ValueError("no version of this engine")
        command = _run_from(folder, entrances[0])
        # What is there already loads in a moment.
        status, said = _run([*command, "warmup"])
        if status:
            last = said.strip().splitlines()[-1:]
            raise ValueError(f"it cannot be compiled: {''.join(last)}")
    _tidy(folder.parent)
    return command


def _run(command: list[str]) -> tuple[int, str]:
    """A command's exit status, and what it says; it ends with this process."""
    pipe = subprocess.PIPE
    with (
        subprocess.Popen(command, stdout=pipe, stderr=subprocess.STDOUT, text=True) as process,  # noqa: S603
        guarded(process.kill),
    ):
        try:
            said, _ = process.communicate(timeout=_COMPILING)
        except BaseException:
            process.kill()
            raise
        return process.returncode, said


def _tidy(commits: Path) -> None:
    """Remove the commits that no match has asked for in a month."""
    oldest = time.time() - UNUSED_DAYS * 86400

    def is_old(folder: Path) -> bool:
        return folder.is_dir() and folder.stat().st_mtime < oldest

    with suppress(OSError, Timeout):  # the next match will try again
        for folder in filter(is_old, list(commits.iterdir())):
            with FileLock(folder.with_name(f"{folder.name}.lock"), timeout=0):
                if is_old(folder):  # still: nobody has come to use it
                    shutil.rmtree(folder, ignore_errors=True)


def _run_from(folder: Path, entrance: str) -> list[str]:
    """The command of the version in a folder, by the interpreter that is at work here."""
    return [sys.executable, "-P", "-c", _RUN, str(folder), entrance]


def _git(*words: str) -> str:
    return _run_git(*words).decode().strip()


def _run_git(*words: str) -> bytes:
    """What git says of this repository; raises ValueError with its complaint."""
    if not (_ROOT / ".git").exists():
        raise ValueError("commits are known in a clone of the repository only")
    try:
        run = subprocess.run(["git", "-C", str(_ROOT), *words], capture_output=True)  # noqa: S603, S607
    except OSError as problem:
        raise ValueError(f"git: {problem.strerror}") from None
    if run.returncode:
        raise ValueError(f"git: {run.stderr.decode(errors='replace').strip().splitlines()[-1]}")
    return run.stdout
