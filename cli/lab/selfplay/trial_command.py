"""`boomslang trial`: Elo of changed search parameters or evaluations, by in-process matches."""

from __future__ import annotations

import argparse
import ast
import re
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from boomslang.cli.terminal.arguments import Parser, UsageError, with_arguments
from boomslang.cli.terminal.engine_arguments import add_sprt
from boomslang.cli.terminal.output import say
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.cli.terminal.settings_arguments import add_settings, argument, read_settings
from boomslang.core.system.files import FileError, exists, quote_path, read_file
from boomslang.engine.errors import refuse_errors
from boomslang.engine.learning.selfplay.selfplay_settings import PARAMETER, InProcessSettings
from boomslang.engine.match.match_score import check_sprt, is_decided, score, verdict
from boomslang.engine.search_settings import EvaluationSettings

if TYPE_CHECKING:
    from boomslang.engine.learning.selfplay.in_process_match import ParameterValues
    from boomslang.engine.learning.selfplay.pentanomial import Pentanomial

_CLASSICAL: Final = "classical"
_NETWORK: Final = "network"
_MAX_BYTES: Final = 1 << 24  # bytes of a file of weights
_DESCRIPTION: Final = """\
Play the engine with changed search parameters or another evaluation against the present engine, or the one
given by --against, in pairs of games from random balanced openings with colours reversed, and estimate the
Elo difference.

With --nodes the games are reproducible on every computer, but a slower search is not penalised. With
--movetime it is, and runs differ; the time is processor time of the thread, so that other programs do not
affect the result.
"""
_EXAMPLES: Final = """\
examples:
  boomslang trial --network tried.net --games 1000
  boomslang trial --network tried.net --against earlier.net
  boomslang trial --weights tried.py --movetime 50 --games 1000
  boomslang trial --classical --games 200
  boomslang trial null_move_margin=150 futility_base=120 --sprt 0 10
  boomslang trial late_move_depth=0 --movetime 50 --games 200
  boomslang trial iir_depth=7 --against iir_depth=5 --weights tried.py --against tried.py

`boomslang tune --list` shows the search parameters. Networks (*.net) come from `boomslang train`. With
--weights both sides use the classical evaluation, unless --against names a network; the opponent has the
present weights. A file of weights is Python code, like eval/classical/weights.py, and is executed.
"""


def _of_opponent(text: str) -> tuple[str, int] | str:
    """NAME=VALUE, or else an evaluation: one of two words or a file."""
    return argument(PARAMETER)(text) if re.fullmatch(r"\w+=.*", text, re.DOTALL) else text


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang trial", _DESCRIPTION, _EXAMPLES)
    parser.option("settings NAME=VALUE", PARAMETER, "search parameters to change", nargs="*")
    add_settings(parser, EvaluationSettings)
    parser.option("--weights FILE", Path, "classical evaluation with these weights")
    parser.option(
        "--against NAME=VALUE|FILE|classical|network",
        _of_opponent,
        "search parameter or evaluation of the opponent: a network (*.net), weights, or the present "
        "evaluation of either kind; may be repeated",
        default=[],
        action="append",
    )
    add_settings(parser, InProcessSettings)
    add_sprt(parser)
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    check_sprt(arguments.sprt)
    parameters = _once_each(arguments.settings)
    settings = _once_each([given for given in arguments.against if not isinstance(given, str)])
    names = [given for given in arguments.against if isinstance(given, str)]
    if len(names) > 1:
        raise UsageError("--against: two evaluations given; the opponent can have only one")

    from boomslang.engine.learning.selfplay.in_process_match import are_alike
    from boomslang.engine.learning.selfplay.pentanomial import Pentanomial

    play = read_settings(InProcessSettings, arguments)
    evaluation = read_settings(EvaluationSettings, arguments)
    evaluations = (
        _own_evaluation(evaluation, arguments.weights),
        _opponents_evaluation(arguments, names),
    )
    with refuse_errors(OSError, ValueError):
        for kind, path in evaluations:
            _check_file(kind, path)
    load_kernels()
    with refuse_errors(OSError, ValueError):
        one = _parameters(parameters, *evaluations[0])
        other = _parameters(settings, *evaluations[1])
        alike = are_alike(one, other)
    if alike:
        raise UsageError(
            "both sides are the same; change a search parameter (NAME=VALUE), or add --network, --weights or "
            "--against"
        )
    results = Pentanomial()
    try:
        _play(play, arguments.sprt, one, other, results)
    finally:
        say(*verdict(results, arguments.sprt))
    return 0


def _once_each(given: list[tuple[str, int]]) -> dict[str, int]:
    """The search parameters of a side. Raises UsageError if one is set twice."""
    settings = dict(given)
    if len(settings) < len(given):
        raise UsageError("a search parameter is set twice for one side; leave one of its values")
    return settings


def _own_evaluation(own: EvaluationSettings, weights: Path | None) -> tuple[str, Path | None]:
    """The kind of evaluation of the tested side, and its file; None: the present one."""
    if own.network:
        if weights:
            raise UsageError("--network and --weights exclude each other")
        return _NETWORK, own.network
    return _CLASSICAL if own.classical or weights else _NETWORK, weights


def _opponents_evaluation(
    arguments: argparse.Namespace, names: list[str]
) -> tuple[str, Path | None]:
    """The same for the opponent; `names` are the evaluations of --against."""
    if not names:
        return _CLASSICAL if arguments.weights else _NETWORK, None
    (name,) = names
    if name in (_CLASSICAL, _NETWORK):
        return name, None
    if not Path(name).suffix and not exists(name):
        raise UsageError(
            f"--against: '{name}' is neither a file nor {_CLASSICAL}, {_NETWORK} or NAME=VALUE"
        )
    return _NETWORK if name.lower().endswith(".net") else _CLASSICAL, Path(name)


def _check_file(kind: str, path: Path | None) -> None:
    """Raises ValueError if this is clearly no such file; needs no kernels, and executes nothing."""
    from boomslang.eval.network.file import read

    if path is None:
        return
    if kind == _NETWORK:
        read(path)
        return
    try:
        tree = ast.parse(read_file(path, _MAX_BYTES))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        if isinstance(problem, FileError):
            raise
        raise ValueError(f"{quote_path(path)} is not a Python file") from None
    if not any(
        isinstance(node, ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign)
        for node in tree.body
    ):
        raise ValueError(f"{quote_path(path)} contains no weights")


def _parameters(settings: dict[str, int], kind: str, path: Path | None) -> ParameterValues:
    """One side. Raises ValueError if its file cannot be read or is something else."""
    from boomslang.engine.learning.selfplay.in_process_match import ParameterValues, read_weights
    from boomslang.eval.network.file import read

    if path is None:
        return ParameterValues(settings, classical=kind == _CLASSICAL)
    if kind == _NETWORK:
        return ParameterValues(settings, network=read(path)[0])
    return ParameterValues(settings, classical=True, weights=read_weights(path))


def _play(
    settings: InProcessSettings,
    sprt: Any,
    one: ParameterValues,
    other: ParameterValues,
    results: Pentanomial,
) -> None:
    """Play the pairs, in batches, until there are enough or the SPRT is decided."""
    wanted = settings.games // 2
    batch = 4 * settings.count
    with (
        settings.workspaces() as arenas,
        progress(score(results, sprt), 2 * wanted, counted=True) as advance,
    ):
        for first in count(0, batch):
            for games in arenas.play(one, other, range(first, min(first + batch, wanted))):
                results.add(games)
                advance(2, title=score(results, sprt))
            if first + batch >= wanted or is_decided(results, sprt):
                return
