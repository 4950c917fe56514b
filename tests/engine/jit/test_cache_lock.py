"""Waiting for another process that compiles into the same cache."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from filelock import FileLock

from boomslang.engine.jit import cache


def test_the_wait_ends_without_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.ENVIRONMENT, str(tmp_path / "store"))
    monkeypatch.setattr(cache, "LOCK_SECONDS", 0.2)
    kept = cache.prepare("stamp")
    assert kept.folder is not None
    with FileLock(kept.folder.parent / "lock"), kept.opened(["kernel"]):
        assert kept.folder is None
        assert "another process" in kept.remark


def test_the_wait_lasts_while_kernels_are_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(cache.ENVIRONMENT, str(tmp_path / "store"))
    monkeypatch.setattr(cache, "LOCK_SECONDS", 0.5)
    kept = cache.prepare("stamp")
    assert kept.folder is not None
    home = kept.folder.parent
    lock, is_held = FileLock(home / "lock", thread_local=False), threading.Event()

    def compile_slowly() -> None:
        with lock:
            is_held.set()
            for number in range(15):  # longer than the wait for a kernel
                time.sleep(0.1)
                (home / "manifest").write_text(f"{number}")

    thread = threading.Thread(target=compile_slowly)
    thread.start()
    is_held.wait()
    with kept.opened(["kernel"]):
        assert kept.folder is not None
    thread.join()
