"""Tortures the kernel cache: kills, damage, two at once, a full disk, other users, read-only folders.

    python -m tests.stress.kernel_cache [--kills 20] [--rounds 3] [--seed 1]

Each case begins with a copy of a sound cache where a few small kernels are missing or damaged, so that little
is compiled. Afterwards `boomslang bench 4` must count the same nodes, and each file be whole. Other users and
a full disk need Linux and root.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from boomslang.cli.doctor.warmup_command import import_common
from boomslang.core.jit import cache, jit
from boomslang.core.system.launcher import command

SMALL: Final = 130_000  # bytes of a kernel that compiles in a second or two
FEW: Final = 3  # kernels
NOBODY: Final = 65534
OTHER_USER: Final = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
NO_POWER: Final = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")  # root obeys modes


class Torture:
    """Stores below a folder, and what was found."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.folder, self.chance = folder, chance
        self.findings: list[str] = []
        import_common()
        jit.load_kernels()
        origin, self.sound = jit.kernel_cache().folder, folder / "sound"
        if origin is None:
            raise SystemExit(jit.kernel_cache().remark)
        (self.sound / "kernels").mkdir(0o700, parents=True)
        for number in range(len(jit._signed)):
            shutil.copy2(origin / f"{jit._file(number)}.kernel", self.sound / "kernels")
        self.nodes = self.bench(self.sound)

    def start(
        self, store: Path, *words: str, before: tuple[str, ...] = ()
    ) -> subprocess.Popen[str]:
        """The engine with that cache, in a process group of its own."""
        return subprocess.Popen(
            [*before, *command(), *words],
            env=os.environ | {"BOOMSLANG_CACHE_DIR": str(store), "HOME": str(self.folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def bench(self, store: Path, before: tuple[str, ...] = ()) -> str:
        """Nodes of the bench, or what came instead."""
        process = self.start(store, "bench", "4", before=before)
        said = process.communicate()[0]
        found = re.search(r"Nodes searched *: (\d+)", said)
        return found[1] if found and not process.returncode else f"{process.returncode}: {said}"

    def copy(self) -> tuple[Path, list[Path]]:
        """A sound store, and its small kernels in random order."""
        store = Path(tempfile.mkdtemp(dir=self.folder)) / "store"
        shutil.copytree(self.sound, store)
        small = [path for path in (store / "kernels").iterdir() if path.stat().st_size < SMALL]
        self.chance.shuffle(small)
        return store, small

    def lacking(self) -> Path:
        """A store where a few kernels are missing."""
        store, small = self.copy()
        for path in small[:FEW]:
            path.unlink()
        return store

    def check(self, what: str, store: Path, before: tuple[str, ...] = ()) -> None:
        """The count of the bench, and the files, which no start may leave torn."""
        self.check_nodes(what, store, before)
        self.check_files(what, store)
        print(f"{what}: {len(self.findings)} findings so far", flush=True)

    def check_nodes(self, what: str, store: Path, before: tuple[str, ...] = ()) -> None:
        """The count of the bench."""
        if (counted := self.bench(store, before)) != self.nodes:
            self.findings.append(f"{what}: {counted} instead of {self.nodes} nodes")

    def check_files(self, what: str, store: Path) -> None:
        """Each file is whole."""
        for path in (store / "kernels").glob("*.kernel"):
            data = path.read_bytes()
            if data[:32] != cache._digest(path.stem, data[32:]):
                self.findings.append(f"{what}: {path.name} is torn")

    def kill(self, count: int) -> None:
        """Kill warmup at random moments, again and again; the last store is used."""
        for number in range(count):
            store = self.lacking()
            process = self.start(store, "warmup")
            time.sleep(self.chance.uniform(0.2, 12.0))
            if was_running := process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            self.check_files(f"kill {number}", store)
            print(f"kill {number}, {'at work' if was_running else 'too late'}", flush=True)
            if number % 5 == 4:
                self.check(f"after kill {number}", store)

    def damage(self) -> None:
        """Damage a few kernels, each in its way."""
        store, small = self.copy()
        for path in small[:FEW]:
            data = bytearray(path.read_bytes())
            at = self.chance.randrange(len(data))
            match self.chance.choice(("flip", "cut", "empty", "more", "zeros", "other user's")):
                case "flip":
                    data[at] ^= 1 << self.chance.randrange(8)
                case "cut":
                    del data[at:]
                case "empty":
                    data.clear()
                case "more":
                    data += b"more"
                case "zeros":
                    data[at:] = bytes(len(data) - at)
                case _ if os.geteuid() == 0:
                    os.chown(path, NOBODY, NOBODY)
                    continue
            path.write_bytes(data)
        self.check_nodes("damage", store)
        self.start(store, "warmup").communicate()  # what the bench does not need is mended too
        self.check("mended damage", store)

    def two_at_once(self) -> None:
        """Two processes fill the same cache."""
        store = self.lacking()
        both = [self.start(store, "warmup") for _ in range(2)]
        for process in both:
            said = process.communicate()[0]
            if process.returncode:
                self.findings.append(f"two at once: {process.returncode}: {said}")
        self.check("two at once", store)

    def read_only(self) -> None:
        """A folder without the right to write: this user's, and root's for another user."""
        store = self.lacking()
        for path in [store.parent, store, *store.rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        before = sorted(store.rglob("*"))
        for words in (NO_POWER, OTHER_USER) if os.geteuid() == 0 else ((),):
            self.check(f"read only {' '.join(words[1:2])}", store, words)
        if sorted(store.rglob("*")) != before:
            self.findings.append("read only: the folder has changed")

    def full_disk(self) -> None:
        """A disk with room for less than one more kernel."""
        store = self.lacking()
        with mounted(store / "kernels") as is_full:
            self.check("full disk" if is_full else "full disk (cannot mount one)", store)


@contextmanager
def mounted(folder: Path) -> Iterator[bool]:
    """Put the folder's files on a small disk; False if there cannot be one."""
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    size = sum(-(-len(data) // 4096) * 4096 for data in files.values()) + 20_480
    words = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "none", str(folder)]
    if os.geteuid() or subprocess.run(words, capture_output=True).returncode:
        yield False
        return
    try:
        for name, data in files.items():
            (folder / name).write_bytes(data)
            (folder / name).chmod(0o600)
        yield True
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def main() -> int:
    """Returns 1 if there are findings."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        torture = Torture(Path(folder), random.Random(given.seed))
        for _ in range(given.rounds):
            for case in ("damage", "two_at_once", "read_only", "full_disk"):
                getattr(torture, case)()
        torture.kill(given.kills)
    print(f"{len(torture.findings)} findings", *torture.findings, sep="\n")
    return 1 if torture.findings else 0


if __name__ == "__main__":
    sys.exit(main())
