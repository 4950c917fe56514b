// The list of moves, and the way through it.

import { byId, make } from "./dom.js";

export class Moves {
  constructor(talk) {
    this.talk = talk;
    this.game = null;
    byId("moves").addEventListener("click", (event) => {
      const ply = event.target.closest("[data-ply]")?.dataset.ply;
      if (ply) this.goTo(Number(ply));
    });
    byId("first").addEventListener("click", () => this.goTo(0));
    byId("back").addEventListener("click", () => this.go(-1));
    byId("forward").addEventListener("click", () => this.go(1));
    byId("last").addEventListener("click", () => this.goTo(Infinity));
  }

  show(game) {
    const same = this.game && this.game.first === game.first && `${this.game.sans}` === `${game.sans}`;
    this.game = game;
    if (!same || !byId("moves").children.length) this.draw();
    const list = byId("moves");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const here = list.querySelector(`[data-ply="${game.at}"]`);
    here?.setAttribute("aria-current", "true");
    if (here) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
    const [start, end] = [game.at === 0, game.at === game.sans.length];
    byId("first").disabled = byId("back").disabled = start;
    byId("last").disabled = byId("forward").disabled = end;
    byId("cut").hidden = end;
  }

  go(step) {
    if (this.game) this.goTo(this.game.at + step);
  }

  goTo(ply) {
    if (!this.game) return; // the server has not sent it yet
    const wanted = Math.max(0, Math.min(ply, this.game.sans.length));
    if (wanted !== this.game.at) this.talk.say("view", { ply: wanted });
  }

  draw() {
    const { first, sans } = this.game;
    const rows = [];
    let row = null;
    sans.forEach((san, index) => {
      const half = first + index;
      if (half % 2 === 0 || !row) {
        row = make("li", {}, make("span", { class: "number" }, `${Math.floor(half / 2) + 1}.`));
        if (half % 2) row.append(make("span", {}, "…"));
        rows.push(row);
      }
      row.append(make("button", { type: "button", "data-ply": index + 1 }, san));
      if (half % 2 === 0 && index === sans.length - 1) row.append(make("span"));
    });
    if (!rows.length) rows.push(make("li", {}, make("span", { class: "empty" }, "No moves yet: click or drag a piece.")));
    byId("moves").replaceChildren(...rows);
  }
}
