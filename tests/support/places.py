"""Where things lie: the project, and the collections that some tests find beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
SUITES: Final = ROOT.parent / "shared" / "suites"
