// Endings: positions by kind, against the best defence. They are on the board while this page is open.

import { byId, make, write } from "./dom.js";

export class Endings {
  constructor(talk, board) {
    this.talk = talk;
    this.board = board;
    this.on = false;
    byId("ending-next").addEventListener("click", () => this.next());
    byId("ending-hint").addEventListener("click", () => this.hint());
    byId("ending-kind").addEventListener("change", () => this.next());
    talk.on("ending", (message) => this.show(message));
    talk.on("hello", () => this.on && this.next());
  }

  turn(on) {
    if (on === this.on) return;
    this.on = on;
    if (on) this.next();
    else this.talk.say("endings");
  }

  next() {
    this.talk.say("ending", { kind: byId("ending-kind").value });
  }

  hint() {
    if (!byId("ending-hint").disabled) this.talk.say("hint");
  }

  show({ title, task, turn, text, right, over, kinds }) {
    if (turn && task !== this.task) this.board.turn(turn);
    this.task = task;
    write(byId("ending-title"), title ?? "Practise endings");
    write(byId("ending-task"), task ?? "");
    const told = byId("ending-text");
    told.className = { true: "right", false: "wrong" }[right] ?? "";
    write(told, text ?? "");
    byId("ending-hint").disabled = !task || Boolean(over);
    if (kinds) this.list(kinds);
  }

  list(kinds) {
    const choice = byId("ending-kind");
    if (choice.options.length === 1) {
      choice.append(...kinds.map(({ name, title }) => make("option", { value: name }, title)));
    }
    const tried = kinds.filter(({ right, wrong }) => right + wrong);
    const rows = tried.map(({ title, right, wrong }) =>
      make("tr", {}, make("th", { scope: "row" }, title), make("td", {}, `${right}`), make("td", {}, `${wrong}`)));
    byId("ending-results").replaceChildren(...rows);
  }
}
