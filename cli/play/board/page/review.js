// Review: asks for the analysis of the game, shows how far it is, and then lies over the game: its graph,
// accuracy, judgements and lines, and each mistake as a question.

import { showPlayers, cellText } from "./accuracy.js";
import { boardsOf, parsedLine, placementOf, played } from "./changes.js";
import { byId, make, toast, write } from "./dom.js";
import { Graph } from "./graph.js";
import { lineOf, moveButtons } from "./lines.js";

const SHOWN = 1500; // milliseconds that the board shows a move that was tried

export class Review {
  constructor(talk, board, moves, think) {
    this.talk = talk;
    this.board = board;
    this.moves = moves;
    this.think = think;
    this.state = { state: "none" };
    this.report = null;
    this.graph = new Graph(byId("plot"), (position) => this.goTo(position));
    byId("review").addEventListener("click", () => talk.say("review", { on: true }));
    byId("review-stop").addEventListener("click", () => talk.say("review", { on: false }));
    byId("try").addEventListener("click", () => this.begin());
    byId("solve").addEventListener("click", () => this.solve());
    byId("keep").addEventListener("click", () => this.keep());
    byId("previous-mistake").addEventListener("click", () => this.step(-1));
    byId("next-mistake").addEventListener("click", () => this.step(1));
    talk.on("tried", (message) => message.ply === this.ply && message.san === this.asked && this.tell(message));
    talk.on("kept", ({ ply, text }) => ply === this.ply && this.say(text));
    talk.on("review", (message) => this.show(message));
    talk.on("report", ({ game }) => this.take(game));
    talk.on("lost", () => (byId("reviewing").hidden = true));
  }

  show(message) {
    const { state, done, total, number, waiting } = message;
    const isNew = state === "done" && this.state.state === "running" && this.state.number === number;
    this.state = message;
    byId("reviewing").hidden = state !== "running";
    byId("review-progress").max = total || 1;
    byId("review-progress").value = done || 0;
    const begun = total ? `${done} of ${total} positions` : "The engine starts …";
    write(byId("review-said"), waiting ? "Waiting for the review of another page …" : begun);
    const stopped = `Go on with the review${total ? ` (${done} of ${total})` : ""}`;
    write(byId("review"), state === "stopped" ? stopped : "Review the game");
    this.offer();
    if (isNew) toast("The review is ready.");
  }

  // A game that goes on is not reviewed.
  offer() {
    const { game } = this;
    byId("review").hidden = ["running", "done"].includes(this.state.state);
    byId("review").disabled = !game?.sans.length || (game.person !== null && !game.result);
  }

  // The report of the game on the board; null: there is none.
  take(report) {
    this.end();
    this.report = report;
    this.boards = report && boardsOf(report);
    this.moves.review(report && { ...report, lineAt: (ply, text) => this.lineAt(ply, text) });
    if (report) {
      const marks = report.moves.map((move, ply) => [ply + 1, move.judgement]).filter((mark) => mark[1]);
      this.graph.show(report.positions.map((found) => found?.chance ?? null), marks, report.phases, []);
      const [white, black] = report.players.map((player) => cellText(player, "accuracy"));
      write(byId("accuracy"), `Accuracy: White ${white}, Black ${black}`);
      showPlayers(byId("players"), report);
    }
    if (this.game) this.look(this.game);
  }

  // The game has moved: what is known of the position on the board, and what may be tried there.
  look(game) {
    this.game = game;
    this.offer();
    const position = this.moves.isReviewed ? this.moves.positionOf(game.node) : null;
    for (const name of ["report", "previous-mistake", "next-mistake"]) byId(name).hidden = !this.moves.isReviewed;
    const { moves } = this.report ?? {};
    const isAhead = this.moves.isAhead; // so this is not yet what was asked for
    if (this.trying && position !== this.ply && !isAhead) this.end();
    if (!this.trying && !isAhead) {
      const near = position === null ? [] : [this.wanted, position, position - 1];
      this.ply = near.find((ply) => (ply === position || ply === position - 1) && moves[ply]?.tries) ?? null;
      this.asked = null;
      this.say("");
    }
    if (position !== null) this.graph.move(position);
    const found = position === null ? null : this.report.positions[position];
    const lines = !found || this.hides(position) ? [] : found.lines.map(({ score, moves }) => ({ score, moves: this.lineAt(position, moves) }));
    this.think.keep(found && { ...found, lines });
    this.ask();
  }

  // A mistake is a question first: nothing tells the better move, until it is found or asked for.
  hides(position) {
    const move = this.report.moves[position];
    return this.trying || Boolean(move?.tries && !move.isSolved);
  }

  ask() {
    const move = this.ply === null ? null : this.report.moves[this.ply];
    byId("trying").hidden = !move;
    byId("game").classList.toggle("trying", Boolean(this.trying));
    if (!move) return;
    byId("try").hidden = this.trying;
    write(byId("try"), `Try again: ${this.moves.numbered(this.ply)} ${move.san}`);
    byId("solve").hidden = Boolean(move.isSolved);
  }

  lineAt(ply, text) {
    return lineOf(text, this.boards[ply], this.game.first + ply);
  }

  goTo(position) {
    this.moves.goToMain(position);
  }

  // To the position before the next mistake, or the one before; false if there is no review.
  step(by) {
    if (!this.moves.isReviewed) return false;
    const here = this.moves.at;
    const stops = this.report.critical;
    const stop = by > 0 ? stops.find((ply) => ply > here) : stops.findLast((ply) => ply < here);
    if (stop === undefined) return;
    this.end();
    this.wanted = stop;
    this.ply = this.report.moves[stop].tries ? stop : null;
    this.goTo(stop);
  }

  keep() {
    if (this.ply !== null && this.report) this.talk.say("keep", { ply: this.ply });
  }

  begin() {
    if (this.ply === null || this.trying) return;
    const move = this.report.moves[this.ply];
    this.trying = true;
    this.say(`${(this.game.first + this.ply) % 2 ? "Black" : "White"} to move. ${move.san} was played: find a better move.`);
    this.board.ask(this.boards[this.ply], parsedLine(move.tries.moves), (san) => this.answer(san));
    if (this.moves.positionOf(this.game.node) === this.ply) this.look(this.game);
    else this.goTo(this.ply);
  }

  end() {
    this.trying = false;
    this.asked = null;
    this.board.ask(null);
  }

  answer(san) {
    const known = this.report.moves[this.ply].tries.known[san];
    this.asked = san;
    if (known) return this.tell({ san, ...known });
    this.say("Searching this move …");
    this.talk.say("try", { ply: this.ply, san });
  }

  // A verdict, and the line that follows: after a wrong move it shows why.
  tell({ san, right, text, line }) {
    const [, change] = parsedLine(this.report.moves[this.ply].tries.moves).find(([name]) => name === san);
    const after = played(this.boards[this.ply], change);
    const rest = lineOf(line, after, this.game.first + this.ply + 1);
    if (right) this.finish();
    this.look(this.game);
    this.say(text, right, right ? [] : moveButtons([{ san, ...this.lineAt(this.ply, `${san} ${change}`)[0] }, ...rest]));
    this.board.glance({ board: placementOf(after), squares: change.slice(0, 2) + change.slice(3, 5) });
    setTimeout(() => this.board.glance(null), SHOWN);
  }

  finish() {
    this.report.moves[this.ply].isSolved = true;
    this.end();
  }

  solve() {
    if (this.ply === null || !this.report) return;
    this.finish();
    this.wanted = this.ply;
    if (this.moves.positionOf(this.game.node) === this.ply) this.look(this.game);
    else this.goTo(this.ply);
  }

  say(text, right, line = []) {
    const said = byId("try-said");
    said.className = { true: "right", false: "wrong" }[right] ?? "";
    said.replaceChildren(make("span", {}, text), ...(line.length ? [" ", ...line] : []));
  }
}
