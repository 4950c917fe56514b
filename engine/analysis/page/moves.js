// The list of moves, with comments and variations. Every move in it is a button.

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// "12." before a move of White, "12..." before one of Black; `ply` counts from the start of the game.
function moveNumber(game, ply) {
  const halves = ply + (game.white_begins ? 0 : 1);
  return `${game.first_number + Math.floor(halves / 2)}${halves % 2 ? "..." : "."}`;
}

function isWhite(game, ply) {
  return (ply % 2 === 0) === game.white_begins;
}

class MoveList {
  // `toMain(position)` and `toSide(base, moves, at)` are called for the move that was chosen.
  constructor(container, toMain, toSide) {
    this.container = container;
    this.toMain = toMain;
    this.toSide = toSide;
    this.buttons = [];
    this.current = null;
    this.entry = null;
  }

  show(game) {
    this.game = game;
    this.buttons = [];
    this.current = this.entry = null;
    const grid = element("div", "grid");
    if (game.comment) grid.append(element("p", "aside comment", game.comment));
    let open = false; // White's move is there, and the row waits for Black's
    game.moves.forEach((move, ply) => {
      if (isWhite(game, ply) || !open) grid.append(element("span", "number", moveNumber(game, ply).replace(/\.+$/, "")));
      if (!isWhite(game, ply) && !open) grid.append(element("span", "gap", "…"));
      grid.append(this.mainButton(move, ply));
      open = isWhite(game, ply);
      const asides = this.asides(move, ply);
      if (asides.length) {
        if (open) grid.append(element("span", "gap", "…"));
        grid.append(...asides);
        open = false;
      }
    });
    grid.append(element("p", "aside result", game.result));
    this.container.replaceChildren(grid);
    this.container.scrollTop = 0;
  }

  mainButton(move, ply) {
    const button = element("button", `move ${move.judgement || ""}`);
    button.type = "button";
    button.tabIndex = -1;
    button.dataset.position = ply + 1;
    const own = move.glyph || "";
    const glyph = `${/[!?]/.test(own) ? "" : GLYPHS[move.judgement] || ""}${own}`;
    button.append(element("span", "san", move.san + glyph));
    if (move.score) button.append(element("span", "score", move.score));
    button.addEventListener("click", () => this.toMain(ply + 1));
    this.buttons[ply + 1] = button;
    return button;
  }

  // What stands below a move: comment, verdict with the better line, variations of the author.
  asides(move, ply) {
    const found = [];
    if (move.comment) found.push(element("p", "aside comment", move.comment));
    if (move.remark) {
      const verdict = element("p", `aside verdict ${move.judgement}`);
      verdict.append(element("span", "", `${move.remark} `));
      const line = this.game.positions[ply]?.lines[0];
      if (line) verdict.append(...this.lineButtons(ply, parsedLine(line.moves)));
      found.push(verdict);
    }
    for (const variation of move.variations || []) {
      const aside = element("div", "aside variation");
      aside.append(...this.variation(variation, ply, ply, []));
      found.push(aside);
    }
    return found;
  }

  lineButtons(base, moves) {
    return moves.map(([san], index) => this.sideButton(base, moves, index, base + index, index === 0, san));
  }

  // A variation begins at `ply` after `before`, which are moves that leave the game at `base`.
  variation(variation, base, ply, before) {
    const moves = [...before, ...variation.moves.map((move) => parsedLine(move.move)[0])];
    const parts = [];
    if (variation.comment) parts.push(element("span", "comment", variation.comment));
    let numbered = true;
    variation.moves.forEach((move, index) => {
      const at = before.length + index;
      const name = moves[at][0] + (move.glyph || "");
      parts.push(this.sideButton(base, moves, at, ply + index, numbered, name));
      numbered = false;
      if (move.comment) parts.push(element("span", "comment", move.comment));
      for (const inner of move.variations || []) {
        const nested = element("span", "nested");
        nested.append("(", ...this.variation(inner, base, ply + index, moves.slice(0, at)), ")");
        parts.push(nested);
      }
      numbered = Boolean(move.comment || move.variations);
    });
    return parts;
  }

  sideButton(base, moves, at, ply, numbered, name) {
    const button = element("button", "side");
    button.type = "button";
    button.tabIndex = -1;
    const number = numbered || isWhite(this.game, ply) ? `${moveNumber(this.game, ply)} ` : "";
    button.textContent = number + name;
    button.addEventListener("click", () => this.toSide(base, moves, at, button));
    return button;
  }

  // Mark the move that led to a position of the game, or the button of another move.
  mark(position, button) {
    this.current?.removeAttribute("aria-current");
    this.current = button || this.buttons[position] || null;
    if (this.entry) this.entry.tabIndex = -1;
    this.entry = this.current || this.buttons.find(Boolean);
    if (this.entry) this.entry.tabIndex = 0; // the only one that the Tab key finds
    if (!this.current) {
      this.container.scrollTop = 0;
      return;
    }
    this.current.setAttribute("aria-current", "true");
    if (this.container.contains(this.current)) this.reveal(this.current);
  }

  // Scroll the list, and never the page.
  reveal(button) {
    const outer = this.container.getBoundingClientRect();
    const inner = button.getBoundingClientRect();
    if (inner.top < outer.top || inner.bottom > outer.bottom) {
      this.container.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
    }
  }
}
