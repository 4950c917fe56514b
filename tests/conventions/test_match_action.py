"""The action that plays a match in the CI of any engine: its step is run here, in a new repository."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.places import ROOT

ACTION = ROOT / ".github" / "actions" / "match"

# It answers with the first of its legal moves, so that both versions play alike.
ENGINE = f"""#!{sys.executable}
import sys, chess
board = chess.Board()
for words in map(str.split, sys.stdin):
    if words[0] == "uci":
        print("id name", open("built").read().strip(), "\\nuciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        at = words.index("moves") if "moves" in words else len(words)
        board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:at]))
        for move in words[at + 1 :]:
            board.push_uci(move)
    elif words[0] == "go":
        print("info depth 1 nodes 1 score cp 0\\nbestmove", next(iter(board.legal_moves)), flush=True)
    elif words[0] == "quit":
        break
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="the runners of this action have a Bourne shell")
def test_both_commits_are_built_and_play(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        done = subprocess.run(
            ["git", *who, *words], cwd=work, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    work, summary, home = tmp_path / "a 'work' tree", tmp_path / "summary.md", tmp_path / "bin"
    work.mkdir()
    home.mkdir()
    git("init", "--quiet", "--initial-branch=main")
    (work / "engine.py").write_text(ENGINE)
    (work / "engine.py").chmod(0o755)
    for version in ("older", "newer"):
        (work / "version").write_text(version)
        git("add", ".")
        git("commit", "--quiet", "-m", version)
    boomslang = home / "boomslang"
    boomslang.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{ROOT}/cli/__main__.py" "$@"\n')
    boomslang.chmod(0o755)
    environment = os.environ | {
        "PATH": f"{home}{os.pathsep}{os.environ['PATH']}",
        "BASE": git("rev-parse", "HEAD~1"),
        "BUILD": "cp version built",
        "ENGINE": "./engine.py",
        "LIMIT": "--nodes 1",
        "GAMES": "2",
        "SPRT": "0 10",
        "OPTIONS": "--jobs 1",
        "GITHUB_STEP_SUMMARY": str(summary),
    }
    done = subprocess.run(
        [ACTION / "play.sh"], cwd=work, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    written = summary.read_text()
    assert written.startswith(f"### Match of {git('rev-parse', '--short', 'HEAD')} against ")
    assert "newer" in written and "older" in written and "SPRT of 10 against 0 Elo" in written
    assert git("worktree", "list").count("\n") == 0, "nothing is left"
    failed = subprocess.run(
        [ACTION / "play.sh"], cwd=work, env=environment | {"BUILD": "false"}, capture_output=True
    )
    assert failed.returncode != 0
    assert git("worktree", "list").count("\n") == 0
