"""Waiting for another process that compiles into the same cache."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from filelock import FileLock

from boomslang.core.jit import cache
from boomslang.core.jit.cache import KernelCache


def test_the_wait_ends_without_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LOCK_SECONDS", 0.2)
    kept = KernelCache(tmp_path)
    with FileLock(tmp_path / "lock"), kept.lock(lambda: 1):
        kept.keep("one", b"code")
    assert KernelCache(tmp_path).load("one") == b"code"
    assert not kept.remark


def test_the_wait_lasts_while_kernels_are_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "LOCK_SECONDS", 0.5)
    lock, is_held = FileLock(tmp_path / "lock", thread_local=False), threading.Event()
    names = [f"{number}" for number in range(15)]

    def compile_slowly() -> None:
        with lock:
            is_held.set()
            for name in names:  # longer than the wait for a kernel
                time.sleep(0.1)
                KernelCache(tmp_path).keep(name, b"code")

    thread = threading.Thread(target=compile_slowly)
    thread.start()
    is_held.wait()
    kept = KernelCache(tmp_path)
    with kept.lock(lambda: len(kept.missing(names))):
        assert not kept.missing(names)
    thread.join()


def test_nobody_waits_for_kernels_that_only_the_other_process_needs(tmp_path: Path) -> None:
    kept, entered = KernelCache(tmp_path), threading.Event()

    def load() -> None:
        with kept.lock(lambda: len(kept.missing(["one"]))):
            entered.set()

    with FileLock(tmp_path / "lock", thread_local=False):
        thread = threading.Thread(target=load)
        thread.start()
        time.sleep(0.2)
        KernelCache(tmp_path).keep("one", b"code")
        is_let_in = entered.wait(50)  # of the 60 s for another kernel
    thread.join()
    assert is_let_in
