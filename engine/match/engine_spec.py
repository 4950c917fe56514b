"""The engines of a match: this version, another commit of it, or any other engine."""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

from boomslang.core.jit.cache import ENVIRONMENT, UNUSED_DAYS, base_folder
from boomslang.core.system import installation
from boomslang.core.system.files import FileError, is_file
from boomslang.core.system.permissions import own_folder
from boomslang.core.system.shutdown import run_at_end
from boomslang.engine.other_engines.agents import agent_command
from boomslang.engine.other_engines.engine_connection import EngineCommand
from boomslang.engine.other_engines.engine_process import COMPILING_TIMEOUT, EngineProcess
from boomslang.engine.other_engines.programs import split_command, why_not_startable
from boomslang.eval.network.file import SHIPPED

OURS: Final = "."
THIS: Final = "this version"
COMMIT: Final = "@"
USUAL: Final = {"Hash": "16", "Threads": "1"}  # for engines that have these options
_ROOT: Final = Path(installation.FOLDER)
# Since Python 3.11.4; older versions extract archives unchecked.
_SAFELY: Final[dict[str, Any]] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
_INTERPRETER: Final = re.compile(r"(python|pypy|perl|ruby|node|java|mono|wine|bash|sh)[\d.w]*")
_PROTOCOL: Final = "cli.dispatch"  # what the command runs
_ENTRY_PACKAGES: Final = ("cli", "uci")  # packages with the command, the newer name first
# A commit's own packages come first, before any installed ones.
_RUN: Final = (
    "import os, sys; sys.path[:0] = [sys.argv.pop(1), os.path.dirname(os.__file__)]; import runpy;"
    " runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """An engine and its options.

    `commit` is the full hash of a commit of this repository, or empty. `digest` is a hash of the known files
    of the engine, which distinguishes it from another one of the same name. An agent is a folder, see
    `engine.other_engines.agents`.
    """

    name: str
    command: tuple[str, ...]
    commit: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    digest: str = ""
    is_agent: bool = False


def parse_engine(text: str, options: Mapping[str, str], python: Sequence[str] = ()) -> EngineSpec:
    """The engine of `.`, `@REVISION`, an agent's folder or a command line; raises ValueError.

    `python` is the command of the interpreter of agents, without it the present one.
    """
    given_files = list(_files(options.values()))
    if text == OURS:
        command = (sys.executable, "-P", installation.ENTRY_POINT)
        digest = installation.fingerprint(_PROTOCOL, _digest([SHIPPED, *given_files]))
        return EngineSpec(THIS, command, "", options, digest)
    if text.startswith(COMMIT):
        commit = _git("rev-parse", "--verify", f"{text.removeprefix(COMMIT)}^{{commit}}")
        _folder_of_commits()
        return EngineSpec(text, (), commit, options, _digest(given_files))
    if agent := agent_command(text, python):
        folder = Path(agent[-1])
        sources = [path for path in folder.rglob("*.py") if not _is_foreign(path, folder)]
        return EngineSpec(folder.name, agent, "", options, _digest(sources), is_agent=True)
    words = split_command(text)
    if not words:
        raise ValueError("an engine needs a command")
    if reason := why_not_startable(words[0]):
        raise ValueError(f"it cannot be started: {reason}")
    program_path = shutil.which(words[0])
    program = [Path(program_path)] if program_path else []
    scripts = list(_files(words[1:]))
    return EngineSpec(
        _name(words, scripts),
        tuple(words),
        "",
        options,
        _digest([*program, *scripts, *given_files]),
    )


def _name(words: Sequence[str], scripts: Sequence[Path]) -> str:
    program = Path(words[0]).stem
    if not _INTERPRETER.fullmatch(program):
        return program
    if "-m" in words[1:-1]:
        return words[words.index("-m") + 1]
    return scripts[0].stem if scripts else program


def _is_foreign(path: Path, folder: Path) -> bool:
    """True in a hidden folder or among installed packages, as in a virtual environment."""
    parts = path.relative_to(folder).parts
    return "site-packages" in parts or any(part.startswith(".") for part in parts)


def _files(values: Iterable[str]) -> Iterator[Path]:
    """The values that are files, as a script that a program runs."""
    for value in values:
        with suppress(FileError):
            if is_file(value):
                yield Path(value)


def _digest(paths: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def engine_process(spec: EngineSpec) -> EngineProcess:
    """The engine, to be started; Boomslang waits for its kernels, so that no pure Python plays meanwhile.

    Raises OSError or ValueError if there is no such commit here.
    """
    command = _of_commit(spec.commit) if spec.commit else spec.command
    is_ours = bool(spec.commit) or spec.name == THIS
    return EngineProcess(
        EngineCommand(tuple(command), spec.options, is_ours, spec.is_agent),
        USUAL,
        env={"BOOMSLANG_READY_WITHIN": str(COMPILING_TIMEOUT)} | os.environ,
    )


def _folder_of_commits() -> Path:
    """The folder of unpacked commits; raises ValueError if other users could write to it."""
    try:
        return own_folder(base_folder() / "commits")
    except OSError as problem:
        raise ValueError(
            f"cannot unpack it in {problem.filename}: {problem.strerror}; "
            f"set {ENVIRONMENT} to another folder"
        ) from None


def _of_commit(commit: str) -> list[str]:
    """The command of a commit, after unpacking its files and compiling its kernels."""
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
            os.utime(folder)  # marks it as used
        packages = [name for name in _ENTRY_PACKAGES if (folder / name / "__main__.py").exists()]
        if not packages:
            raise ValueError("this commit contains no engine with a command")
        command = _run_from(folder, packages[0])
        # Kernels in the cache load at once.
        status, output = _run([*command, "warmup"])
        if status:
            last = output.strip().splitlines()[-1:]
            raise ValueError(f"it cannot be compiled: {''.join(last)}")
    _tidy(folder.parent)
    return command


def _run(command: list[str]) -> tuple[int, str]:
    """Exit status and output of a command, which is killed if this process ends."""
    pipe = subprocess.PIPE
    with (
        subprocess.Popen(command, stdout=pipe, stderr=subprocess.STDOUT, text=True) as process,  # noqa: S603
        run_at_end(process.kill),
    ):
        try:
            output, _ = process.communicate(timeout=COMPILING_TIMEOUT)
        except BaseException:
            process.kill()
            raise
        return process.returncode, output


def _tidy(commits: Path) -> None:
    """Remove the commits that no match has used for a month."""
    oldest = time.time() - UNUSED_DAYS * 86400

    def is_old(folder: Path) -> bool:
        return folder.is_dir() and folder.stat().st_mtime < oldest

    with suppress(OSError, Timeout):  # the next match will try again
        for folder in filter(is_old, list(commits.iterdir())):
            with FileLock(folder.with_name(f"{folder.name}.lock"), timeout=0):
                if is_old(folder):  # still unused
                    shutil.rmtree(folder, ignore_errors=True)


def _run_from(folder: Path, package: str) -> list[str]:
    return [sys.executable, "-P", "-c", _RUN, str(folder), package]


def _git(*words: str) -> str:
    return _run_git(*words).decode().strip()


def _run_git(*words: str) -> bytes:
    """The output of git in this repository; raises ValueError with its error message."""
    if not (_ROOT / ".git").exists():
        raise ValueError("commits are available only in a clone of the repository")
    try:
        run = subprocess.run(["git", "-C", str(_ROOT), *words], capture_output=True)  # noqa: S603, S607
    except OSError as problem:
        raise ValueError(f"git: {problem.strerror}") from None
    if run.returncode:
        raise ValueError(f"git: {run.stderr.decode(errors='replace').strip().splitlines()[-1]}")
    return run.stdout
