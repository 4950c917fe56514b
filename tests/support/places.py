"""Where things lie: the project, and the collections that some tests find beside it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
SUITES: Final = Path(os.environ.get("BOOMSLANG_SUITES") or ROOT.parent / "shared" / "suites")
