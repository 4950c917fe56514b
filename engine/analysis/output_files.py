"""The output files of an analysis: annotated PGN, JSON, report, a table of moves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from boomslang.core.system.files import beside, exists, whole_text
from boomslang.engine.analysis.annotate import annotate
from boomslang.engine.analysis.assessment import GameReport
from boomslang.engine.analysis.export import write_document, write_table
from boomslang.engine.analysis.page_data import game_page
from boomslang.engine.analysis.plan import Reports
from boomslang.engine.analysis.report_page import render
from boomslang.engine.notation.pgn_writer import format_pgn


class ReportFiles:
    """Files that share a name up to the ending, and the table; `paths` by format, the journal beside them."""

    def __init__(self, stem: Path, formats: Sequence[str], table: Path | None = None) -> None:
        self.paths = {name: beside(stem, name) for name in formats}
        if table:
            self.paths["table"] = table
        self.journal = beside(stem, "journal")

    def overwrites(self, path: Path) -> bool:
        """True if `path` is one of the files."""
        own = [*self.paths.values(), self.journal]
        return exists(path) and any(exists(mine) and mine.samefile(path) for mine in own)

    def write(self, reports: Reports) -> None:
        """Annotate the games and write all files, each atomically. Raises FileError."""
        settings = reports.settings
        if path := self.paths.get("json"):
            with whole_text(path) as file:
                file.writelines(write_document(reports, *settings))
        if path := self.paths.get("table"):
            with whole_text(path) as file:
                write_table(reports, file)
        if path := self.paths.get("html"):
            with whole_text(path) as file:
                file.writelines(render(map(game_page, reports), len(reports), *settings))
        if path := self.paths.get("pgn"):
            names = [each.engine_name for each in settings if each.engine_name]
            with whole_text(path) as file:
                file.writelines(_game(report, names) for report in reports)


def _game(report: GameReport, engines: Sequence[str]) -> str:
    if report.left_out:
        return f"{report.source.text}\n\n" if report.source else ""
    return f"{format_pgn(annotate(report, engines))}\n\n"
