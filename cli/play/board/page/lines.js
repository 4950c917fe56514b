// Lines of moves as buttons: pointed at they show their position, and a click plays them up to there.

import { parsedLine, placementOf, played } from "./changes.js";
import { byId, make } from "./dom.js";

// The moves of a line as buttons that know the position behind them.
export function moveButtons(moves) {
  return moves.flatMap((move, index) => {
    const tabindex = index ? -1 : null; // a line is one stop of the Tab key, with arrows inside
    const button = make("button", { type: "button", tabindex, "data-board": move.board, "data-squares": move.squares }, move.san);
    const numbered = index === 0 || !move.number.endsWith("…");
    return numbered ? [make("span", {}, move.number), button] : [button];
  });
}

// A line of a report, as the server has those of a search; `half` is the number of its first move.
export function lineOf(text, squares, half) {
  return parsedLine(text).map(([san, change], index) => {
    squares = played(squares, change);
    const number = `${Math.floor((half + index) / 2) + 1}${(half + index) % 2 ? "…" : "."}`;
    return { san, number, squares: change.slice(0, 2) + change.slice(3, 5), board: placementOf(squares) };
  });
}

// Wherever such a line stands on the page the board follows the mouse along it, and the focus.
export class Lines {
  // `leave` is called when the board is the game's again.
  constructor(talk, board, leave) {
    this.talk = talk;
    this.board = board;
    this.held = null; // the list in which a move is pointed at
    const follow = (event) => this.follow(event.target.closest?.("button[data-board]"));
    for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, follow);
    document.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse" && !this.held?.contains(event.target)) this.leave();
    });
    document.addEventListener("focusout", (event) => event.relatedTarget?.dataset?.board ?? this.leave()); // or to another move
    document.addEventListener("keydown", (event) => this.step(event));
    document.addEventListener("click", (event) => this.play(event.target.closest?.("button[data-board]")));
    this.left = leave;
  }

  follow(button) {
    if (!button) return;
    this.held = button.parentElement;
    this.board.glance({ board: button.dataset.board, squares: button.dataset.squares });
  }

  leave() {
    if (!this.held) return;
    this.held = null;
    this.board.glance(null);
    this.left();
  }

  // Arrow keys go along the line that has the focus.
  step(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || !event.target.matches("button[data-board]")) return;
    const moves = [...event.target.parentElement.querySelectorAll("button[data-board]")];
    moves[moves.indexOf(event.target) + by]?.focus();
    event.preventDefault();
    event.stopImmediatePropagation(); // the game stays where it is
  }

  // The moves of a line up to one, from the position where it begins.
  play(button) {
    const list = button?.closest("[data-node]") ?? (button?.closest("#lines") && byId("lines"));
    if (!list) return;
    const moves = [...button.parentElement.querySelectorAll("button[data-board]")];
    const line = moves.slice(0, moves.indexOf(button) + 1).map((move) => move.textContent);
    this.talk.say("line", { node: Number(list.dataset.node), moves: line });
    if (document.activeElement === button) byId("moves").focus({ preventScroll: true }); // which gives it to the move
    this.leave();
  }
}
