"""Command words of `boomslang`, and commands of the protocol given as arguments."""

from __future__ import annotations

import sys
from typing import Final

USAGE: Final = """\
usage: boomslang                       speak UCI, as a chess GUI wants it, or CECP if it says xboard
       boomslang xboard                speak CECP, as XBoard and WinBoard want it
       boomslang play ...              a game in the terminal (boomslang play --help)
       boomslang bench [DEPTH]         nodes and speed of a fixed search over fixed positions
       boomslang perft ...             count move sequences (boomslang perft --help)
       boomslang eval ...              what it thinks of a position, without search (boomslang eval --help)
       boomslang suite ...             solve positions with known best moves (boomslang suite --help)
       boomslang mine ...              such positions, out of games (boomslang mine --help)
       boomslang compare ...           one position, from minimax to the engine (boomslang compare --help)
       boomslang analyse ...           games, move by move, with a report (boomslang analyse --help)
       boomslang visits ...            visits of tree searches (boomslang visits --help)
       boomslang tune ...              better numbers for the search, by games (boomslang tune --help)
       boomslang trial ...             games with other numbers (boomslang trial --help)
       boomslang datagen ...           positions of its own games, to tune with (boomslang datagen --help)
       boomslang tune-eval ...         evaluation weights from such positions (boomslang tune-eval --help)
       boomslang fit-wdl ...           chances to win by score, from such positions (boomslang fit-wdl --help)
       boomslang calibrate ...         how strong UCI_Elo is, by games (boomslang calibrate --help)
       boomslang doctor ...            is everything in place? (boomslang doctor --help)
       boomslang warmup                compile the kernels ahead of the first game
       boomslang where                 print the path to paste into a GUI
       boomslang compiler              print the versions at work
       boomslang version | help
       boomslang COMMAND ...           one UCI command, for example: boomslang go depth 10
       boomslang "COMMAND" "COMMAND"   several of them\
"""
BAD_USAGE: Final = 2
_HELP: Final = frozenset({"help", "--help", "-h"})
_WITHOUT_OWN_HELP: Final = frozenset({"bench", "compiler", "version", "warmup", "where", "xboard"})


def run(arguments: list[str]) -> int:
    """Do what the arguments say; returns the exit status."""
    word, *rest = arguments
    if word in _HELP or (word in _WITHOUT_OWN_HELP and not _HELP.isdisjoint(rest)):
        print(USAGE)
        return 0
    if word in ("version", "--version", "-V"):
        from uci.report import NAME, VERSION

        print(NAME, VERSION)
        return 0
    if word in ("warmup", "where"):
        from uci import warmup

        return warmup.main(arguments)
    if word == "perft":
        from uci import perft_command

        return perft_command.main(rest)
    if word == "play":
        from uci.play import command

        return command.main(rest)
    if word == "doctor":
        from uci.doctor import command as doctor

        return doctor.main(rest)
    if word == "eval":
        from uci import eval_command

        return eval_command.main(rest)
    if word == "suite":
        from uci import suite_command

        return suite_command.main(rest)
    if word == "mine":
        from uci import mine_command

        return mine_command.main(rest)
    if word == "compare":
        from uci import compare_command

        return compare_command.main(rest)
    if word == "analyse":
        from uci import analyse_command

        return analyse_command.main(rest)
    if word == "visits":
        from uci import visits_command

        return visits_command.main(rest)
    if word == "tune":
        from uci import tune_command

        return tune_command.main(rest)
    if word == "trial":
        from uci import trial_command

        return trial_command.main(rest)
    if word == "datagen":
        from uci import datagen_command

        return datagen_command.main(rest)
    if word == "tune-eval":
        from uci import tune_eval_command

        return tune_eval_command.main(rest)
    if word == "fit-wdl":
        from uci import fit_wdl_command

        return fit_wdl_command.main(rest)
    if word == "calibrate":
        from uci import calibrate_command

        return calibrate_command.main(rest)
    return _protocol(arguments)


def _protocol(arguments: list[str]) -> int:
    """Obey arguments as lines if one of them has blanks, else as the words of one line."""
    from uci.__main__ import leave
    from uci.loop import Loop
    from uci.output import Output, write_to_pipe

    several = any(" " in argument.strip() for argument in arguments)
    lines = arguments if several else [" ".join(arguments)]
    output = Output(write_to_pipe, lambda: leave(0))
    loop = Loop(output)
    first = lines[0].split()[:1]
    if not first or not loop.knows(first[0]):
        print(f"boomslang: unknown command {first[0] if first else ''}", file=sys.stderr)
        print(USAGE, file=sys.stderr)
        return BAD_USAGE
    for line in lines:
        loop.wait_answer()
        if "go" in line.split():
            loop.kernels.wait()  # nobody's clock is running
        if not loop.obey(line.encode("utf-8", "replace")):
            break
    else:
        loop.wait_idle()
    loop.leave()
    leave(0)
