// Practise: the exercises from one's own mistakes. The board shows their positions while this page is open.

import { byId, write } from "./dom.js";

export class Practise {
  constructor(talk, board) {
    this.talk = talk;
    this.board = board;
    this.on = false;
    this.name = null;
    byId("exercise-next").addEventListener("click", () => this.next());
    byId("exercise-solve").addEventListener("click", () => this.solve());
    talk.on("exercise", (message) => this.show(message));
    talk.on("hello", () => this.on && this.talk.say("practise", { on: true }));
  }

  turn(on) {
    if (on === this.on) return;
    this.on = on;
    this.talk.say("practise", { on });
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
    write(byId("exercise-solution"), exercise.solution ? `Solution: ${exercise.solution}` : "");
    byId("exercise-solve").disabled = !exercise.name || Boolean(exercise.solution);
    byId("exercise-next").disabled = Boolean(exercise.problem);
    const left = exercise.left ?? 0;
    write(byId("exercise-left"), left && !exercise.solution ? `${left} exercise${left > 1 ? "s are" : " is"} due, with this one.` : "");
  }
}
