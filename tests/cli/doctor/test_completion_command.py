"""`boomslang completion`: scripts that shells accept, and what bash completes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from boomslang.cli.command_line import _WITHOUT_OWN_HELP, COMMANDS
from boomslang.cli.doctor import completion_command
from boomslang.cli.terminal.arguments import BAD_USAGE

pytest.importorskip("shtab")

COMPLETE = """\
source "$0"
words=("$@")
COMP_WORDS=(boomslang "$@"); COMP_CWORD=$#; COMPREPLY=()
_shtab_boomslang
printf '%s\\n' "${COMPREPLY[@]}"
"""


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert completion_command.main([shell]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_knows_every_command_and_is_valid(
    shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = script(shell, capsys)
    assert all(word in text for word in [*COMMANDS, "xboard", "bench"])
    if program := shutil.which(shell):
        path = tmp_path / "script"
        path.write_text(text)
        subprocess.run([program, "-n", path], check=True, capture_output=True)


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["ana"], {"analyse"}),
        ([""], {*COMMANDS, *_WITHOUT_OWN_HELP}),
        (["xboard", "--l"], {"--log"}),
        (["--l"], {"--log"}),
        (["analyse", "--nod"], {"--nodes"}),
        (["completion", ""], {"bash", "zsh", "fish"}),
        (["book", ""], {"build", "show", "check"}),
        (["gui", "cutech"], {"cutechess"}),
        *(
            ([*words, "games.e"], {"games.epd"})
            for words in (["analyse"], ["label"], ["--log"], ["match", "--openings"])
        ),
    ],
)
def test_bash_completes(
    words: list[str], found: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "script"
    path.write_text(script("bash", capsys))
    (tmp_path / "games.epd").touch()
    command = ["bash", "-c", COMPLETE, str(path), *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == found


def test_without_the_library_the_reason_is_given(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert completion_command.main(["bash"]) == BAD_USAGE
    assert "pip install shtab" in capsys.readouterr().err
    assert completion_command.main(["tcsh"]) == BAD_USAGE
