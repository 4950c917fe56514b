"""Where this copy of the engine lies, in a clone or in an installed package.

Standard library only, and little of it: it is imported before a protocol has said a word.
"""

from __future__ import annotations

import os
from typing import Final

import boomslang

FOLDER: Final = os.path.dirname(os.path.realpath(boomslang.__file__))  # noqa: PTH120 - loads faster
IS_CLONE: Final = os.path.basename(boomslang.__file__) == "boomslang.py"  # noqa: PTH119
# From here `import boomslang` finds it.
IMPORT_FOLDER: Final = FOLDER if IS_CLONE else os.path.dirname(FOLDER)  # noqa: PTH120
ENTRY_POINT: Final = os.path.join(FOLDER, "cli", "__main__.py")  # noqa: PTH118
