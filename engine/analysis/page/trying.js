// Try again: find a better move where a mistake was made.

class Trying {
  // `show()` draws the page again; `list` makes buttons of lines.
  constructor(show, list) {
    this.show = show;
    this.list = list;
    this.ply = null; // of the mistake that is shown
    this.wanted = null; // of the mistake that was chosen, where two follow each other
    this.on = false;
    byId("try").addEventListener("click", () => this.begin());
    byId("solve").addEventListener("click", () => this.solve());
    byId("answer").addEventListener("keydown", ({ key }) => {
      if (key !== "Enter") return;
      this.type(byId("answer").value.trim());
      byId("answer").value = "";
    });
  }

  // The position that the page shows: at a mistake, and behind it, there is something to try.
  at(game, position) {
    const near = [this.wanted, position - 1, position].filter((at) => at === position || at === position - 1);
    const ply = near.find((at) => game.moves[at]?.tries) ?? null;
    if (ply !== this.ply || game !== this.game) this.end();
    this.game = game;
    this.ply = ply;
    byId("trying").hidden = ply === null;
    byId("try").hidden = this.on || (ply !== null && ply === position && game.moves[ply].isSolved);
    byId("try").textContent = ply === null ? "" : `Try again: ${moveNumber(game, ply)} ${game.moves[ply].san}`;
    byId("answer").hidden = !this.on;
    byId("solve").hidden = ply === null || Boolean(game.moves[ply].isSolved);
    document.querySelector("main").classList.toggle("trying", this.on);
  }

  // A mistake is a question first: nothing tells the better move, until it is found or asked for.
  hides(position) {
    const move = this.game.moves[position];
    return this.on || Boolean(move?.tries && !move.isSolved);
  }

  end() {
    this.on = false;
    this.from = null;
    this.say("");
  }

  begin() {
    if (this.ply === null || this.on) return;
    this.on = true;
    this.wanted = this.ply;
    this.from = null;
    const move = this.game.moves[this.ply];
    this.say(`${isWhite(this.game, this.ply) ? "White" : "Black"} to move. ${move.san} was played: find a better move.`);
    this.show(this.ply);
    byId("answer").focus({ preventScroll: true });
  }

  get moves() {
    return parsedLine(this.game.moves[this.ply].tries.moves);
  }

  // Two clicks make a move; a pawn becomes a queen, and what else it may be is typed.
  click(square) {
    if (!this.on) return;
    const chosen = this.moves.filter(([, change]) => change.slice(0, 2) === this.from && change.slice(3).includes(square));
    const [move] = [...chosen.filter(([, change]) => change.slice(3, 5) === square), ...chosen];
    const isOwn = this.moves.some(([, change]) => change.startsWith(square));
    this.from = move || !isOwn ? null : square;
    if (move) this.answer(move[0]);
    else board.mark(this.from ? [this.from] : []);
  }

  type(text) {
    const bare = (san) => san.replace(/[+#!?]+$/, "").replace(/0/g, "O");
    const move = this.moves.find(([san]) => bare(san) === bare(text));
    if (move) this.answer(move[0]);
    else if (text) this.say(`${text} is not a legal move here.`);
  }

  answer(san) {
    const known = this.game.moves[this.ply].tries.known[san];
    if (known) this.tell(san, known);
    else this.say(`The analysis has not looked at ${san}. Try another move, or show the solution.`);
  }

  // A verdict, and the line that follows: after a wrong move it shows why.
  tell(san, { right, text, line }) {
    if (right) this.finish();
    const move = this.moves.find(([name]) => name === san);
    const moves = [move, ...parsedLine(line)];
    this.show(this.ply);
    this.say(text, right, right ? [] : this.list.lineButtons(this.ply, moves));
    board.preview(move[1]);
  }

  finish() {
    this.on = false;
    this.game.moves[this.ply].isSolved = true;
  }

  solve() {
    this.finish();
    this.wanted = this.ply;
    this.show(this.ply);
    this.say("The best line is marked.");
  }

  say(text, right, line = []) {
    const said = byId("try-said");
    said.className = { true: "right", false: "wrong" }[right] ?? "";
    said.replaceChildren(element("span", "", `${text} `), ...line);
  }
}
