// The tree of moves with comments, variations and the judgements of a review, and the way through it.

import { GLYPHS } from "./changes.js";
import { byId, make, write } from "./dom.js";
import { moveButtons } from "./lines.js";

const WHEEL = 40; // pixels for a step

export class Moves {
  constructor(talk) {
    this.talk = talk;
    this.game = null;
    this.items = null; // of the game, in the order of PGN
    this.report = null; // of the main line
    this.main = [0]; // the numbers of its moves, by position
    this.asked = 0; // how many views were asked for; the last one is where the page wants to be
    this.wanted = 0;
    byId("moves").addEventListener("click", (event) => {
      const node = Number(event.target.closest("button[data-node]")?.dataset.node);
      if (node) this.view({ node }, this.items.find((item) => item.node === node).ply + 1);
    });
    byId("first").addEventListener("click", () => this.goTo(0));
    byId("back").addEventListener("click", () => this.go(-1));
    byId("forward").addEventListener("click", () => this.go(1));
    byId("last").addEventListener("click", () => this.goTo(Infinity));
    talk.on("moves", ({ items }) => {
      this.items = items;
      this.main = [0];
      let depth = 0;
      const sans = [];
      for (const item of items) {
        depth += { "(": 1, ")": -1 }[item] ?? 0;
        if (item.node && !depth) this.main.push(item.node);
        if (item.node && !depth) sans.push(item.san);
      }
      this.sans = `${sans}`;
      this.drawn = false; // until the game comes, which follows
    });
    talk.on("hello", () => (this.asked = 0));
    new ResizeObserver(() => this.reveal()).observe(byId("moves"));
    byId("board").addEventListener("wheel", (event) => {
      event.preventDefault();
      this.turned = (this.turned ?? 0) + event.deltaY;
      if (Math.abs(this.turned) < WHEEL) return;
      this.go(Math.sign(this.turned));
      this.turned = 0;
    }, { passive: false });
    byId("note").addEventListener("submit", (event) => event.preventDefault());
    for (const id of ["glyph", "comment"]) byId(id).addEventListener("change", () => this.note());
    for (const word of ["promote", "delete"]) byId(word).addEventListener("click", () => talk.say(word));
  }

  // What a review says about the moves of the main line; null: nothing.
  review(report) {
    this.report = report;
    this.reviewed = `${report?.moves.map((move) => move.san)}`;
    this.drawn = false;
    if (this.game) this.show(this.game);
  }

  // An exercise or an ending may be on the board instead of the game.
  get isReviewed() {
    return Boolean(this.report) && this.reviewed === this.sans;
  }

  // Where a move stands in the main line; null: in a variation.
  positionOf(node) {
    const position = this.main.indexOf(node);
    return position < 0 ? null : position;
  }

  goToMain(position) {
    this.view({ node: this.main[position] }, position);
  }

  // The number of a move of the main line, "12." or "12...".
  numbered(ply) {
    return `${this.number({ ply })}${this.half({ ply }) % 2 ? ".." : ""}`;
  }

  // A sign and a comment for the move on the board.
  note() {
    this.talk.say("note", { node: this.game.node, glyph: Number(byId("glyph").value), text: byId("comment").value });
  }

  showNote(game) {
    const item = this.items?.find(({ node }) => node === game.node);
    byId("note").hidden = game.person !== null || !item;
    for (const [id, value] of [["glyph", `${item?.sign ?? 0}`], ["comment", item?.text ?? ""]]) {
      if (document.activeElement !== byId(id)) byId(id).value = value;
    }
    byId("promote").hidden = !item || this.positionOf(game.node) !== null;
  }

  show(game) {
    if (this.game?.first !== game.first) this.drawn = false;
    this.game = game;
    const list = byId("moves"), isHeld = list.contains(document.activeElement);
    if (this.items && !this.drawn) this.draw();
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const here = list.querySelector(`button[data-node="${game.node}"]`);
    here?.setAttribute("aria-current", "true");
    const entry = here ?? list.querySelector("button[data-node]"); // the only one that the Tab key finds
    if (isHeld) entry?.focus({ preventScroll: true });
    for (const other of list.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    if (entry) entry.tabIndex = 0;
    this.reveal();
    const [start, end] = [game.at === 0, game.at === game.sans.length];
    byId("first").disabled = byId("back").disabled = start;
    byId("last").disabled = byId("forward").disabled = end;
    byId("cut").hidden = end || game.person === null; // alone another move begins a variation
    this.showNote(game);
  }

  // The list shows the move on the board, also when its height has changed.
  reveal() {
    const list = byId("moves"), here = list.querySelector("[aria-current]");
    list.scrollTop += here ? place(here) - place(list) - list.clientHeight / 2 : -list.scrollTop;
  }

  go(step) {
    if (this.game) this.goTo(this.at + step);
  }

  // The server has not followed yet.
  get isAhead() {
    return this.asked > this.game.asked;
  }

  // Where the page is, or will be when the server has followed.
  get at() {
    return this.isAhead ? this.wanted : this.game.at;
  }

  goTo(ply) {
    if (!this.game) return; // the server has not sent it yet
    const wanted = Math.max(0, Math.min(ply, this.game.sans.length));
    if (wanted !== this.at) this.view({ ply: wanted }, wanted);
  }

  view(place, wanted) {
    this.asked = Math.max(this.asked, this.game.asked) + 1;
    this.wanted = wanted;
    this.talk.say("view", { ...place, asked: this.asked });
  }

  // The main line in pairs of moves, what is said about it in rows between them.
  draw() {
    const rows = [];
    let row = null; // which waits for Black's move
    const aside = (kind, ...content) => {
      row?.append(make("span"));
      row = null;
      rows.push(make("li", { class: `aside ${kind}` }, ...content));
    };
    for (let index = 0; index < this.items.length; index++) {
      const item = this.items[index];
      if (item === "(") {
        const end = closing(this.items, index);
        aside("variation", ...this.inline(this.items.slice(index + 1, end)));
        index = end;
        continue;
      }
      if (item.node) {
        const white = this.half(item) % 2 === 0;
        if (white || !row) {
          row = make("li", {}, make("span", { class: "number" }, this.number(item)));
          if (!white) row.append(make("span", {}, "…"));
          rows.push(row);
        }
        const position = this.positionOf(item.node);
        const judged = this.isReviewed ? this.report.moves[position - 1] : null;
        row.append(button(item, judged));
        if (!white) row = null;
        if (item.text) aside("comment", item.text);
        if (judged?.remark) this.drawVerdict(aside, judged, position - 1);
        continue;
      }
      if (item.text) aside("comment", item.text);
    }
    row?.append(make("span"));
    if (!rows.length) rows.push(make("li", {}, make("span", { class: "empty" }, "No moves yet: click or drag a piece.")));
    byId("moves").replaceChildren(...rows);
    this.drawn = true;
  }

  // What a review says about a move, with the better line; it begins before the move.
  drawVerdict(aside, judged, ply) {
    const line = this.report.lineAt(ply, this.report.positions[ply]?.lines[0]?.moves);
    const parts = make("span", { class: "line", "data-node": this.main[ply] }, ...moveButtons(line));
    for (const part of parts.querySelectorAll("button")) part.tabIndex = -1;
    aside(`verdict ${judged.judgement}`, make("span", {}, `${judged.remark} `), parts);
  }

  // A variation in a running text.
  inline(items) {
    const parts = [];
    let numbered = true;
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      if (item === "(") {
        const end = closing(items, index);
        parts.push(make("span", { class: "nested" }, "(", ...this.inline(items.slice(index + 1, end)), ")"));
        index = end;
        numbered = true;
        continue;
      }
      if (item.before) parts.push(make("span", { class: "comment" }, item.before));
      const white = this.half(item) % 2 === 0;
      if (white || numbered) parts.push(make("span", { class: "number" }, `${this.number(item)}${white ? "" : ".."}`));
      parts.push(button(item));
      if (item.text) parts.push(make("span", { class: "comment" }, item.text));
      numbered = Boolean(item.text);
    }
    return parts;
  }

  half(item) {
    return this.game.first + item.ply;
  }

  number(item) {
    return `${Math.floor(this.half(item) / 2) + 1}.`;
  }
}

function button(item, judged) {
  const own = item.glyph ?? "";
  const move = `${item.san}${/[!?]/.test(own) ? "" : (GLYPHS[judged?.judgement] ?? "")}${own}`;
  const clock = item.clock ? [" ", make("small", { title: "On the clock" }, item.clock)] : [];
  return make("button", { type: "button", tabindex: -1, class: judged?.judgement, "data-node": item.node, "aria-label": item.clock && `${move}, ${item.clock}` }, move, ...clock);
}

// The end of the variation that begins at an index.
function closing(items, index) {
  let depth = 0;
  for (let at = index; at < items.length; at++) {
    if (items[at] === "(") depth += 1;
    if (items[at] === ")" && --depth === 0) return at;
  }
  return items.length;
}

function place(element) {
  return element.getBoundingClientRect().top;
}
