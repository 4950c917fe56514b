// Practise: the exercises from one's own mistakes. The board shows their positions while this page is open.

import { arrow } from "./board.js";
import { byId, make, write } from "./dom.js";
import { moveButtons } from "./lines.js";

export class Practise {
  constructor(talk, board) {
    this.talk = talk;
    this.board = board;
    this.on = false;
    this.name = null;
    byId("exercise-next").addEventListener("click", () => this.next());
    byId("exercise-solve").addEventListener("click", () => this.solve());
    this.line = [];
    talk.on("exercise", (message) => this.show(message));
    talk.on("game", (game) => this.point(game));
    talk.on("hello", () => this.on && this.talk.say("practise", { on: true }));
  }

  turn(on) {
    if (on === this.on) return;
    this.on = on;
    this.name = null; // the next one turns the board, also if it is the same
    if (!on) this.board.point([]);
    this.talk.say("practise", { on });
  }

  // The solution is an arrow wherever the position of the exercise is on the board.
  point(game) {
    if (!this.on) return;
    const shown = this.line.length && game?.at === 0;
    this.board.point(shown ? [arrow(this.line[0].squares, "best")] : []);
  }

  next() {
    this.talk.say("exercise");
  }

  solve() {
    if (!byId("exercise-solve").disabled) this.talk.say("solution");
  }

  show(exercise) {
    if (exercise.name && exercise.name !== this.name) this.board.turn(exercise.turn);
    this.name = exercise.name ?? null;
    write(byId("exercise-origin"), exercise.origin ?? "");
    write(byId("exercise-task"), exercise.problem ?? exercise.task ?? "");
    const verdict = byId("exercise-verdict");
    verdict.className = { true: "right", false: "wrong" }[exercise.right] ?? "";
    write(verdict, exercise.verdict ?? "");
    this.line = exercise.line ?? [];
    const words = this.line.length ? ["Solution: ", ...moveButtons(this.line), make("span", {}, `. ${exercise.solution}`)] : [];
    byId("exercise-solution").replaceChildren(...words);
    this.point(this.board.game);
    byId("exercise-solve").disabled = !exercise.name || Boolean(exercise.line);
    byId("exercise-next").disabled = Boolean(exercise.problem);
    byId("exercise-load").hidden = !exercise.problem;
    const left = exercise.left ?? 0;
    write(byId("exercise-left"), left && !exercise.line ? `${left} exercise${left > 1 ? "s are" : " is"} due, with this one.` : "");
  }
}
