// Who plays, above and below the board, with the clocks, which run here between two words of the server.

import { byId, write } from "./dom.js";
import { NAMES } from "./words.js";

const LOW = 20; // seconds
const MEN = [["p", "♟", 1], ["n", "♞", 3], ["b", "♝", 3], ["r", "♜", 5], ["q", "♛", 9]];

export class Players {
  constructor(board) {
    this.board = board;
    this.game = null;
    setInterval(() => this.tick(), 100);
  }

  show(game) {
    this.game = game;
    this.heard = performance.now();
    const below = this.board.orientation;
    for (const [place, side] of [["bottom-player", below], ["top-player", below === "white" ? "black" : "white"]]) {
      const row = byId(place);
      row.dataset.side = side;
      row.querySelector(".who").textContent = game[side];
      this.showMaterial(row.querySelector(".material"), game.board, side);
      row.classList.toggle("moves", game.turn === side && !game.result);
      row.querySelector(".clock").hidden = !game.clock && !game.record[side];
      if (!game.clock) write(row.querySelector(".clock"), game.record[side] ?? "");
    }
    this.tick();
  }

  // The pieces that a side has more than the other, as those that it has taken, and the difference in pawns.
  showMaterial(shown, placement, side) {
    let signs = "", names = [], ahead = 0;
    for (const [letter, sign, value] of MEN) {
      const count = (men) => placement.split(men).length - 1;
      const more = (count(letter.toUpperCase()) - count(letter)) * (side === "white" ? 1 : -1);
      ahead += more * value;
      signs += sign.repeat(Math.max(more, 0));
      if (more > 0) names.push(`${more} ${NAMES[letter]}${more > 1 ? "s" : ""}`);
    }
    write(shown, `${signs}${ahead > 0 ? ` +${ahead}` : ""}`);
    shown.setAttribute("aria-label", names.length ? `has ${names.join(", ")} more${ahead > 0 ? `, ${ahead} pawns ahead` : ""}` : "material is even");
  }

  // Nobody says any more what the clocks show: they stand still.
  lose() {
    const clock = this.game?.clock;
    if (!clock?.running) return;
    clock[clock.running] -= (performance.now() - this.heard) / 1000;
    clock.running = null;
    this.tick();
  }

  tick() {
    const clock = this.game?.clock;
    if (!clock) return;
    for (const row of document.querySelectorAll(".player")) {
      const side = row.dataset.side;
      const runs = clock.running === side;
      const gone = runs ? (performance.now() - this.heard) / 1000 : 0;
      const left = Math.max(clock[side] - gone, 0);
      const shown = row.querySelector(".clock");
      shown.textContent = timeText(left);
      shown.classList.toggle("runs", runs);
      shown.classList.toggle("low", left < LOW);
    }
  }
}

// Like 4:07, or 9.3 when it matters.
function timeText(seconds) {
  if (seconds < LOW) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${`${whole % 60}`.padStart(2, "0")}`;
}
