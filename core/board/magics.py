"""Magic multipliers for CPUs without a fast PEXT: `(occupied & mask) * magic >> shift` indexes the attacks.

Found by trying sparse random numbers until no two occupations with different attacks share an index;
`python -m core.board.magics` finds them again.
"""

from __future__ import annotations

import random
from typing import Final

import numpy as np

Step = tuple[int, int]
_ROOK: Final[list[Step]] = [(1, 0), (-1, 0), (0, 1), (0, -1)]
_BISHOP: Final[list[Step]] = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
_SEED: Final = 7


def _rays(square: int, occupied: int, steps: list[Step], to_edge: bool) -> int:
    """Attacks of a slider as a bitboard; without `to_edge` the last square of each ray is left out."""
    squares = 0
    for file_step, rank_step in steps:
        file, rank = (square & 7) + file_step, (square >> 3) + rank_step
        while 0 <= file < 8 and 0 <= rank < 8:
            bit = 1 << (rank * 8 + file)
            file, rank = file + file_step, rank + rank_step
            if to_edge or (0 <= file < 8 and 0 <= rank < 8):
                squares |= bit
            if occupied & bit:
                break
    return squares


def find_magic(square: int, steps: list[Step], rng: random.Random) -> int:
    """A multiplier that maps each occupation of the slider's rays to an index of popcount(mask) bits."""
    mask = _rays(square, 0, steps, to_edge=False)
    bits = mask.bit_count()
    subset, occupied, attacks = 0, [], []
    while True:
        occupied.append(subset)
        attacks.append(_rays(square, subset, steps, to_edge=True))
        subset = (subset - mask) & mask
        if not subset:
            break
    keys = np.array(occupied, dtype=np.uint64)
    wanted = np.array(attacks, dtype=np.uint64)
    while True:
        magic = rng.getrandbits(64) & rng.getrandbits(64) & rng.getrandbits(64)
        index = (keys * np.uint64(magic)) >> np.uint64(64 - bits)
        table = np.zeros(1 << bits, dtype=np.uint64)
        table[index] = wanted
        if (table[index] == wanted).all():
            return magic


def main() -> None:
    """Print both tables as Python source."""
    rng = random.Random(_SEED)  # noqa: S311 - no secrets here
    for name, steps in (("ROOK_MAGICS", _ROOK), ("BISHOP_MAGICS", _BISHOP)):
        print(f"{name}: Final = np.array([")
        for square in range(0, 64, 4):
            row = ", ".join(f"0x{find_magic(square + i, steps, rng):016X}" for i in range(4))
            print(f"    {row},")
        print("], dtype=np.uint64)")


# fmt: off
ROOK_MAGICS: Final = np.array([
    0x2080008110204008, 0x804001200C401000, 0x2300110900416000, 0x0580100006080080,
    0x0080080004008042, 0x0100010004002802, 0x04004408011001A2, 0x1180004080002300,
    0x4000800888400020, 0x4201002100400280, 0x8881801002A00082, 0x1041000900203002,
    0x0002800400800800, 0x1000800400809A00, 0x010400281A101401, 0x4001000080C10002,
    0x0002020021008A40, 0x180040400A201000, 0x2034410020090010, 0x00D0018008008012,
    0x0021808008010400, 0x020101001A084400, 0x0040040008101201, 0x22402200004C0087,
    0x200480A080014000, 0x0441400080200080, 0x1081844200220090, 0x0001002300085000,
    0x1484140080800800, 0x10001A0080800400, 0x8010220400011810, 0x0803024200048401,
    0x080181C004800020, 0x0000200880804000, 0x8080A00049001100, 0x1004809005801800,
    0x0108080080802400, 0x1002001082000804, 0x8085081044000182, 0x0054640042000187,
    0x1812400061848000, 0x0110004120104000, 0x0010002000808032, 0x0001002010010008,
    0x0404080005010010, 0x0010100440080120, 0x0002214822040030, 0x40002100C5820004,
    0x0000800041002100, 0x0001201002400840, 0x1040100420008480, 0x2100080081500180,
    0x0010801802040080, 0x1001800200040080, 0x2004580210814400, 0x5006008043040600,
    0x0000408001041021, 0x0000208042081302, 0x0909C02890200101, 0x005B001000042009,
    0x400B000658001005, 0x1241002812440001, 0x4104021110180384, 0x0000008046A10C02,
], dtype=np.uint64)
BISHOP_MAGICS: Final = np.array([
    0x00080810045200A0, 0x100A020614010004, 0x40100400C04AC000, 0x8108204450020000,
    0x0001104080400200, 0x00020A0621400002, 0x0482020520080012, 0x002040D410080200,
    0x0600200A100620A9, 0x2900C2081A040040, 0x00A0113404004110, 0x0040080849000088,
    0x9020841044540000, 0x0002182A08202810, 0x0000020110029000, 0x000041848CB01020,
    0x1D40500830140890, 0x4910A0081000C080, 0x200800100480200A, 0x4044000A40308220,
    0x2054000880A04000, 0x0006000302809400, 0x0004840424010800, 0x040A020422112410,
    0x0002422010040828, 0x1284101120051100, 0x0522012808080020, 0x1514004004030002,
    0x0000840002802000, 0x0001010002028280, 0x400A0C2082050300, 0x0404010020808A84,
    0x0201200804E008A0, 0x0004100803040101, 0x000C004112280200, 0x0400100820240400,
    0x1004010050040041, 0x01020042001100A8, 0xD210020448020B04, 0x0048848514008400,
    0x0000820822014050, 0x0002080404220600, 0x000040240408C040, 0x004040C010440201,
    0x00000210A4000200, 0x080610021A000020, 0xC0220C230C014200, 0xA03004C200480081,
    0x00008A080A400620, 0x4000405218200800, 0x01061210840400A0, 0x0100080205040302,
    0x0020221020621B20, 0x4000480A28860A01, 0x0049021082020012, 0x022008008E808001,
    0x2B02008400921000, 0x06202A0201924800, 0x0880400221080880, 0x8084200003048808,
    0x2408000041104900, 0x2004401820180080, 0x0004180801040400, 0x0050821002460840,
], dtype=np.uint64)
# fmt: on

if __name__ == "__main__":
    main()
