"""Every number of the search that a tuner may turn, in one table.

A kernel reads `search.params.<name>`; `Param.low` and `high` bound what makes sense, `step` is the
smallest change worth a game. The defaults are what a player gets.

With every parameter that has an `off` value set to it, nothing is left of the search but alpha-beta in
iterative deepening, with its ordering of moves: it returns the minimax value of the tree to the nominal
depth, where the leaves are mates, draws and static evaluations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

NEVER: Final = 128  # a depth that no search reaches

# The steps from plain alpha-beta to the whole search, in which `comparisons.steps` turns the rules on.
STEPS = QUIET, WINDOWS, NULL_MOVE, REDUCE, PRUNE, REVERSE, SHORTEN, EXTEND = (
    "+ quiescence search",
    "+ aspiration windows",
    "+ null move",
    "+ late move reductions",
    "+ pruning of late moves",
    "+ reverse futility",
    "+ IIR, ProbCut",
    "+ extensions",
)


@dataclass(frozen=True, slots=True)
class Param:
    """One number of the search. Raises ValueError if a value of it lies outside its bounds."""

    name: str
    default: int
    low: int
    high: int
    step: int
    meaning: str
    off: int | None = None  # the value at which its rule does not change the value of a search
    turned_on: str = ""  # the one of STEPS that turns it on, if there is such a value
    data: int | None = None  # the value where shallow searches make training data

    def __post_init__(self) -> None:
        for value in (self.default, self.default if self.off is None else self.off):
            if not self.low <= value <= self.high or self.step <= 0:
                raise ValueError(f"{self.name}: {self.low} <= {value} <= {self.high}")

    @property
    def is_switch(self) -> bool:
        """True if there is nothing to tune: it is on or off."""
        return self.high - self.low <= self.step


TABLE: Final = (
    Param("aspiration_depth", 4, 1, NEVER, 1, "shallowest narrow window", NEVER, WINDOWS),
    Param("aspiration_delta", 14, 4, 60, 4, "half width of the first window, centipawns"),
    Param("reverse_futility_depth", 8, 0, 12, 1, "deepest node for reverse futility", 0, REVERSE),
    Param("reverse_futility_margin", 80, 30, 150, 8, "centipawns a ply above beta"),
    Param("reverse_futility_return", 60, 0, 100, 8, "per cent of what is above beta, returned"),
    Param("null_move_depth", 3, 1, NEVER, 1, "shallowest node for the null move", NEVER, NULL_MOVE),
    Param("null_move_base", 4, 2, 6, 1, "plies saved by the null move"),
    Param("null_move_divisor", 4, 2, 8, 1, "plies of depth for one ply more"),
    Param("null_move_margin", 175, 80, 500, 25, "centipawns over beta for one ply more"),
    Param("null_verify_from", 20, 12, NEVER, 1, "shallowest null move that is verified"),
    Param("iir_depth", 4, 2, NEVER, 1, "shallowest node without a table move", NEVER, SHORTEN),
    Param("probcut_depth", 5, 3, NEVER, 1, "shallowest node for ProbCut", NEVER, SHORTEN),
    Param("probcut_margin", 170, 80, 400, 20, "centipawns above beta"),
    Param("probcut_divisor", 100, 30, 1000, 20, "centipawns above its beta for one ply less"),
    Param("late_move_depth", 8, 0, 12, 1, "deepest node for late move pruning", 0, PRUNE, data=0),
    Param("late_move_base", 4, 1, 12, 1, "quiet moves looked at anyway, half if not improving"),
    Param("late_move_slope", 145, 50, 250, 10, "hundredths of a move more by depth squared"),
    Param("futility_depth", 10, -1, 12, 1, "deepest reduced node for futility", -1, PRUNE),
    Param("futility_base", 65, 20, 250, 12, "centipawns"),
    Param("futility_margin", 68, 20, 150, 8, "centipawns a ply"),
    Param("futility_correction", 50, 0, 200, 10, "per cent of the correction added to the margin"),
    Param("capture_futility_depth", 7, -1, 12, 1, "deepest reduced node", -1, PRUNE, data=-1),
    Param("capture_futility_base", 60, 0, 300, 15, "centipawns above the victim"),
    Param("capture_futility_margin", 72, 20, 200, 10, "centipawns a ply"),
    Param("capture_futility_history", 60, 30, 400, 10, "history points a centipawn"),
    Param("history_prune_depth", 4, -1, 10, 1, "deepest reduced node", -1, PRUNE, data=-1),
    Param("history_prune_margin", 3600, 500, 8000, 300, "history points a ply"),
    Param("see_prune_depth", 8, 0, 12, 1, "deepest node for exchange pruning", 0, PRUNE, data=0),
    Param("see_quiet_margin", 75, 20, 120, 6, "centipawns a reduced ply"),
    Param("see_capture_margin", 98, 30, 180, 10, "centipawns a ply"),
    Param("singular_depth", 7, 4, NEVER, 1, "shallowest singular extension", NEVER, EXTEND),
    Param("singular_margin", 2, 1, 6, 1, "centipawns a ply below the table score"),
    Param("double_margin", 20, 0, 100, 5, "centipawns more for a second ply"),
    Param("reduction_depth", 2, 1, NEVER, 1, "shallowest late move reduction", NEVER, REDUCE),
    Param("reduction_base", 105, 0, 160, 8, "hundredths of a ply"),
    Param("reduction_divisor", 220, 140, 400, 12, "hundredths, below log depth times log number"),
    Param("reduction_capture_base", 45, 0, 160, 8, "hundredths of a ply"),
    Param("reduction_capture_divisor", 360, 200, 600, 20, "hundredths"),
    Param("reduction_history", 7400, 2000, 20000, 600, "history points a ply"),
    Param("reduction_pv", 125, 0, 300, 15, "hundredths of a ply less in the principal variation"),
    Param("reduction_cut", 100, 0, 400, 20, "hundredths of a ply more before a fail high"),
    Param("reduction_not_improving", 95, 0, 200, 10, "hundredths of a ply more, not improving"),
    Param("reduction_check", 115, 0, 300, 15, "hundredths of a ply less for a check"),
    Param("reduction_correction", 180, 0, 600, 40, "hundredths of a ply less for a pawn corrected"),
    Param("deeper_margin", 30, 0, 150, 8, "centipawns above the best score for a deeper re-search"),
    Param("history_factor", 240, 50, 400, 15, "bonus a ply of depth"),
    Param("history_offset", 120, 0, 500, 20, "taken from every bonus"),
    Param("history_limit", 2300, 500, 4000, 120, "greatest bonus"),
    Param("history_fade", 8, 0, 100, 4, "malus is bonus / (1 + index * this / 100)"),
    Param("evaluation_difference_bonus", 1, 0, 8, 1, "points a centipawn that a quiet move won"),
    Param("fail_low_bonus", 100, 0, 300, 15, "per cent of the bonus before a fail low"),
    Param("research_bonus", 80, 0, 300, 15, "per cent of the bonus or malus after a re-search"),
    Param("history_kept", 87, 0, 100, 5, "per cent of the main history that a new search keeps"),
    Param("continuation_weight_1", 120, 0, 300, 10, "per cent, of the history after the last move"),
    Param("continuation_weight_2", 130, 0, 300, 10, "the same after the last but one"),
    Param("even_capture_malus", 1000, 0, 16000, 50, "points below 0: an even exchange is lost"),
    Param("check_bonus", 8000, 0, 20000, 1000, "history points more for a safe quiet check"),
    Param("attack_bonus", 3000, 0, 20000, 500, "points more for a safe attack on a dearer piece"),
    Param("risk_malus", 100, 0, 300, 15, "per cent of the malus where a cheaper piece attacks"),
    Param("quiescence_futility", 150, 50, 400, 15, "centipawns above the victim, or above nothing"),
    Param("quiescence_moves", 3, 1, 256, 1, "captures looked at", data=256),
    Param("correction_weight", 100, 0, 200, 10, "per cent of the learnt correction", 0, QUIET),
    Param("correction_pieces", 115, 0, 300, 10, "per cent of what a side's pieces taught"),
    Param("correction_last_move", 75, 0, 300, 10, "per cent of what was learnt by the last move"),
    Param("one_reply_extension", 1, 0, 1, 1, "1: a ply more for the only evasion", 0, EXTEND),
    Param("table_rule50_limit", 90, 0, 100, 5, "halfmoves up to which table scores cut", 0, QUIET),
    Param("quiescence", 1, 0, 1, 1, "0: the static evaluation at the horizon", 0, QUIET),
)

BY_NAME: Final = {param.name: param for param in TABLE}


def set_defaults(params: Any) -> None:
    """Fill a PARAMS record, in place, with what a player gets."""
    for param in TABLE:
        params[param.name] = param.default


def set_for_data(params: Any) -> None:
    """Switch off late move, history, SEE and capture pruning in a PARAMS record, in place.

    In play this pruning gains depth. In a search of few plies it acts at almost every node, and makes the
    scores less accurate than the evaluation that is to be trained from them. Histories also come from the
    moves before and prune moves that such a search never gets to try again.
    """
    for param in TABLE:
        if param.data is not None:
            params[param.name] = param.data


def set_exact(params: Any) -> None:
    """Fill a PARAMS record, in place, with what makes the search return the minimax value."""
    for param in TABLE:
        params[param.name] = param.default if param.off is None else param.off
