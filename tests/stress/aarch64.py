"""`make arm`: the engine on AArch64, which QEMU emulates, gives the same results as on this computer.

    python -m tests.stress.aarch64
    python -m tests.stress.aarch64 --models neoverse-n1

Needs Debian with `qemu-user-static`, no rights of root, and most of an hour: QEMU compiles the kernels anew
for each model of processor. Python for AArch64 comes from the system's own package archive, NumPy and Numba
as wheels for that architecture. Both are unpacked into `build/aarch64`, and nothing is installed. Exit
status 1: bench, perft or Monte Carlo search differ.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.support.places import ROOT

FOLDER: Final = ROOT / "build" / "aarch64"
QEMU: Final = "qemu-aarch64-static"
# A model of QEMU, and LLVM's name of the processor to compile for: LLVM does not recognise an emulated one.
MODELS: Final = {"cortex-a57": "generic", "neoverse-n1": "neoverse-n1"}
_SOURCES: Final = ("/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list")
_PACKAGES: Final = ("python3", "libstdc++6")  # llvmlite links the second
_COMPILED: Final = ("numba", "numpy")  # the other dependencies are plain Python
_PLATFORMS: Final = ("manylinux2014_aarch64", "manylinux_2_27_aarch64", "manylinux_2_28_aarch64")
# What must be the same on every processor.
COMMANDS: Final = (
    ("bench",),
    ("perft", "4"),
    ("perft", "3", "--fen", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("perft", "5", "--fen", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    (
        "setoption name Search Algorithm value mcts",
        "position fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "go nodes 3000",
        "quit",
    ),
)


class UnavailableError(Exception):
    """Something that the emulation needs is missing."""


def unpack_system(folder: Path) -> Path:
    """Debian's Python for AArch64 with the libraries it needs, in `folder`; returns the interpreter."""
    root, work = folder / "root", folder / "apt"
    if not root.exists():
        sources = next((path for path in _SOURCES if Path(path).exists()), None)
        if sources is None or shutil.which("dpkg-deb") is None:
            raise UnavailableError("this is not Debian: there is no list of sources for apt")
        (work / "state" / "lists" / "partial").mkdir(parents=True, exist_ok=True)
        (work / "cache" / "archives" / "partial").mkdir(parents=True, exist_ok=True)
        (work / "state" / "status").touch()  # nothing is installed yet
        apt = ["apt-get", "--quiet"]
        for setting in (
            "APT::Architecture=arm64",
            "APT::Architectures=arm64",
            "APT::Install-Recommends=0",
            f"APT::Sandbox::User={os.environ.get('USER', 'root')}",
            f"Dir::State={work}/state",
            f"Dir::State::status={work}/state/status",
            f"Dir::Cache={work}/cache",
            f"Dir::Etc::SourceList={sources}",
            "Dir::Etc::SourceParts=/dev/null",
            "Debug::NoLocking=1",
        ):
            apt += ["-o", setting]
        subprocess.run([*apt, "update"], check=True)
        subprocess.run([*apt, "install", "--download-only", "--yes", *_PACKAGES], check=True)
        for package in sorted((work / "cache" / "archives").glob("*.deb")):
            subprocess.run(["dpkg-deb", "--extract", package, f"{root}.new"], check=True)
        Path(f"{root}.new").rename(root)
    found = sorted((root / "usr" / "bin").glob("python3.[0-9]*[0-9]"))
    if not found:
        raise UnavailableError(f"there is no Python in {root}; remove that folder")
    return found[0]


def install_libraries(folder: Path, python: Path) -> Path:
    """The engine's libraries for that interpreter, as a folder for PYTHONPATH."""
    libraries = folder / "libraries"
    if not libraries.exists():
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
        wanted: dict[bool, list[str]] = {True: [], False: []}
        for line in project["project"]["dependencies"]:
            wanted[line.startswith(_COMPILED)].append(line)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", f"{libraries}.new"]
        version = python.name.removeprefix("python")
        there = ["--only-binary=:all:", "--implementation=cp", f"--python-version={version}"]
        there += [f"--platform={name}" for name in _PLATFORMS]
        subprocess.run([*pip, *there, *wanted[True]], check=True)
        subprocess.run([*pip, *wanted[False]], check=True)
        Path(f"{libraries}.new").rename(libraries)
    return libraries


def results(command: list[str], **environment: str) -> list[str]:
    """The machine, and the last lines of each command, without their times."""

    def run(words: Sequence[str], stdout: int | None = subprocess.PIPE) -> list[str]:
        done = subprocess.run(
            [*command, "-P", "cli/__main__.py", *words],
            cwd=ROOT,
            env=os.environ | {"BOOMSLANG_READY_WITHIN": "7200"} | environment,
            stdout=stdout,
            text=True,
            check=True,
        )
        return (done.stdout or "").splitlines()

    run(["warmup"], stdout=None)  # which says how far it is
    found = [line for line in run(["compiler"]) if line.startswith("Machine")]
    for words in COMMANDS:
        lines = [line for line in run(words) if re.match("Nodes searched|info depth|best", line)]
        found += [re.sub(r" (nps|time) \d+", "", line) for line in lines[-2:]]
    return found


def main(argv: list[str]) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.stress.aarch64")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="for all that is downloaded")
    parser.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS))
    options = parser.parse_args(argv)
    if shutil.which(QEMU) is None:
        print(f"{QEMU} is missing; on Debian: sudo apt install qemu-user-static", file=sys.stderr)
        return 1
    folder = options.folder.absolute()
    try:
        python = unpack_system(folder)
        libraries = install_libraries(folder, python)
    except (OSError, subprocess.SubprocessError, UnavailableError) as problem:
        print(f"no system for AArch64: {problem}", file=sys.stderr)
        return 1
    here = results([sys.executable])
    print(*here, sep="\n", flush=True)
    wrong = 0
    for model in options.models:
        begun = time.monotonic()
        there = results(
            [QEMU, "-L", str(folder / "root"), str(python)],
            QEMU_CPU=model,
            NUMBA_CPU_NAME=MODELS[model],
            NUMBA_CPU_FEATURES="",  # those of the name
            PYTHONPATH=f"{libraries}{os.pathsep}{ROOT}",
            PYTHONNOUSERSITE="1",
            BOOMSLANG_CACHE_DIR=str(folder / f"kernels-{model}"),
        )
        wanted = [here[0].replace("x86_64", "aarch64"), *here[1:]]
        found = [line for line, right in zip(there, wanted, strict=True) if line != right]
        wrong += len(found)
        minutes = (time.monotonic() - begun) / 60
        print(f"{model}, compiled for {MODELS[model]}, {minutes:.0f} min", *there, sep="\n")
        print(*found or ["the same"], sep="\n", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
