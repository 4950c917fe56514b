// Endings: positions by kind, against the best defence. They are on the board while this page is open.

import { squaresOf } from "./changes.js";
import { byId, make, write } from "./dom.js";
import { ROLES } from "./setup.js";

const WHEN = { new: "new", now: "due", done: "solved" };

export class Endings {
  constructor(talk, board) {
    this.talk = talk;
    this.board = board;
    this.on = false;
    this.kind = ""; // what is due, or new
    byId("ending-next").addEventListener("click", () => this.next());
    byId("ending-hint").addEventListener("click", () => this.hint());
    byId("ending-choose").addEventListener("click", () => this.list());
    byId("kinds-list").addEventListener("keydown", (event) => this.step(event));
    talk.on("ending", (message) => this.show(message));
    talk.on("hello", () => this.on && this.next());
  }

  turn(on) {
    if (on === this.on) return;
    this.on = on;
    this.task = null; // the next one turns the board, also if it is the same
    if (on) this.next();
    else this.talk.say("endings");
  }

  next() {
    this.talk.say("ending", { kind: this.kind });
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
    this.kinds = kinds ?? this.kinds;
    byId("ending-choose").disabled = !this.kinds;
  }

  // All kinds as pictures, by chapters; what is due is marked.
  list() {
    const solved = this.kinds.filter(({ when }) => when === "done").length;
    const due = this.kinds.filter(({ when }) => when === "now").length;
    write(byId("kinds-count"), `${solved} of ${this.kinds.length} solved, ${due} due.`);
    const groups = [...new Set(this.kinds.map(({ group }) => group))];
    const chapters = groups.flatMap((group) => [
      make("h3", {}, group),
      make("div", { class: "pictures", role: "group", "aria-label": group }, ...this.kinds.filter((kind) => kind.group === group).map((kind) => this.choice(kind))),
    ]);
    const any = make("button", { type: "button" }, "What is due, or new");
    any.addEventListener("click", () => this.choose(""));
    byId("kinds-list").replaceChildren(any, ...chapters);
  }

  // The pictures are one stop of the Tab key, with arrows inside.
  step(event) {
    const pictures = [...byId("kinds-list").querySelectorAll(".pictures button")];
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const next = by && event.target.closest(".pictures") && pictures[pictures.indexOf(event.target) + by];
    if (!next) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  choice({ name, title, board, right, wrong, when }) {
    const tried = when === "new" ? "" : `, ${right} right, ${wrong} wrong`;
    const progress = make("small", {}, ` ${WHEN[when] ?? `again on ${when}`}${tried}`);
    const tabindex = name === (this.kind || this.kinds[0].name) ? 0 : -1;
    const button = make("button", { type: "button", tabindex, "data-when": when, "aria-current": name === this.kind && "true" }, picture(board), make("span", {}, title), progress);
    button.addEventListener("click", () => this.choose(name));
    return button;
  }

  choose(name) {
    this.kind = name;
    byId("kinds").close();
    this.next();
  }
}

// A small board with a position by the first part of its FEN; for eyes alone.
function picture(placement) {
  const pieces = [...squaresOf(placement).entries()].filter(([, letter]) => letter !== ".").map(([square, letter]) => {
    const role = ROLES["kqrbnp".indexOf(letter.toLowerCase())];
    const piece = make("piece", { class: `${role} ${letter < "a" ? "white" : "black"}` });
    piece.style.left = `${12.5 * (square % 8)}%`;
    piece.style.top = `${12.5 * Math.floor(square / 8)}%`;
    return piece;
  });
  return make("span", { class: "picture cg-wrap", "aria-hidden": "true" }, ...pieces);
}
