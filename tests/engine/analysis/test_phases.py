"""The phases of games, and accuracies in them."""

from __future__ import annotations

import chess
import pytest

from boomslang.engine.analysis.phases import Phase, phase_accuracies, phase_of, phases_of
from boomslang.engine.notation.pgn import read_games
from tests.support.analysed import ANNOTATED, PGN, game_of, report_of

JUDGED = PGN / "lichess_judged_a.pgn"


@pytest.mark.parametrize(
    ("fen", "phase"),
    [
        (chess.STARTING_FEN, Phase.OPENING),
        # White has four pieces on its first rank, then three.
        ("rnbqk2r/pppp1ppp/5n2/4p3/4P3/2NPBN2/PPPQ1PPP/R3KB1R w KQkq - 0 1", Phase.OPENING),
        ("rnbqk2r/pppp1ppp/5n2/4p3/4P3/2NPBN2/PPPQBPPP/R3K2R w KQkq - 0 1", Phase.MIDDLEGAME),
        # Ten pieces besides pawns and kings, then eleven.
        ("rn1qkb1r/pppppppp/8/8/8/8/PPPPPPPP/RN1QKB1R w KQkq - 0 1", Phase.MIDDLEGAME),
        ("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RN1QKB1R w KQkq - 0 1", Phase.OPENING),
        # Six, then seven.
        ("r2qkb2/pppppppp/8/8/8/8/PPPPPPPP/R2QK2R w - - 0 1", Phase.ENDGAME),
        ("r2qkb2/pppppppp/8/8/8/8/PPPPPPPP/RN1QK2R w - - 0 1", Phase.MIDDLEGAME),
    ],
)
def test_the_phase_of_a_position(fen: str, phase: Phase) -> None:
    assert phase_of(chess.Board(fen)) == phase


def test_a_phase_is_not_left_for_an_earlier_one() -> None:
    # A pawn becomes a queen: seven pieces again.
    game = game_of('[FEN "r2qk3/ppPppppp/8/8/8/8/PPPPPPP1/RN1QK3 w - - 0 1"]\n\n1. cxd8=Q+ Rxd8 *')
    assert phases_of(game) == [Phase.ENDGAME, Phase.ENDGAME]
    back = game_of("1. e4 e5 2. Be2 Be7 3. Nf3 Nf6 4. Nc3 Nc6 5. d3 d6 6. Bd2 Bd7 7. Qc1 Qc8 *")
    assert set(phases_of(back)) == {Phase.OPENING}


def test_accuracies_by_phase() -> None:
    report = report_of(game_of(ANNOTATED))
    whole = phase_accuracies(phases_of(report.game), report.moves)
    assert whole == {Phase.OPENING: (report.white.accuracy, report.black.accuracy)}
    halves = [Phase.OPENING] * 5 + [Phase.ENDGAME] * 2
    found = phase_accuracies(halves, report.moves)
    earlier, later = found[Phase.OPENING][1], found[Phase.ENDGAME][1]
    assert (
        earlier is not None and later is not None and later < earlier
    )  # Black's last is a blunder
    assert phases_of(game_of('[Variant "Unheard of"]\n\n*')) == []
    assert phase_accuracies([], []) == {}


@pytest.mark.skipif(not JUDGED.exists(), reason="the games of Lichess are not there")
def test_phases_of_real_games_are_plausible() -> None:
    begins = []
    for entry in read_games(JUDGED):
        phases = phases_of(entry.game)
        assert phases == sorted(phases, key=list(Phase).index)
        if Phase.MIDDLEGAME in phases:
            begins.append(phases.index(Phase.MIDDLEGAME))
    begins.sort()
    assert 12 <= begins[len(begins) // 2] <= 36  # half-moves, in the median
