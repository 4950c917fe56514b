"""Syzygy tablebases: a reader of the files in compiled code, and what follows for a search.

The format is Ronald de Man's (2013). A table holds one value for each position of one material, such as
king and queen against king: whether it is won (WDL, files `.rtbw`) or how many plies go by until the next
capture or pawn move on the way to the result (DTZ, files `.rtbz`). A probe takes three steps, a module each:

1. `index`: the position becomes a number, the same for all positions that symmetry makes equal
   (`geometry` has the arithmetic).
2. `decoding`: the value with that number is found in the compressed blocks. `header` has read and checked
   once what this takes.
3. `probe`: captures are played out, because the tables of positions with a winning capture hold arbitrary
   values, and en passant is no part of the index.

`table_files` finds the files and opens each when a kernel first asks for it, `table_records` is how all of
that lies in memory. The face to the engine is `engine.driver.tablebase`: options, root positions,
remarks; `engine.driver.root_ranking` ranks the moves at the root, and `engine.search.tb_bounds` probes in
the tree.
"""
