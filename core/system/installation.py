"""The folder of this copy of the engine, in a clone or in an installed package.

Little of the standard library only: it is imported before the first answer of a protocol.
"""

from __future__ import annotations

import os
from typing import Final

import boomslang

FOLDER: Final = os.path.dirname(os.path.realpath(boomslang.__file__))  # noqa: PTH120 - loads faster
IS_CLONE: Final = os.path.basename(boomslang.__file__) == "boomslang.py"  # noqa: PTH119
# `import boomslang` finds the engine from here.
IMPORT_FOLDER: Final = FOLDER if IS_CLONE else os.path.dirname(FOLDER)  # noqa: PTH120
ENTRY_POINT: Final = os.path.join(FOLDER, "cli", "__main__.py")  # noqa: PTH118
