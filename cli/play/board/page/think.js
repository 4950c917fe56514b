// Think: the engine's lines as they come, and what the evaluation sees at a glance.

import { arrow } from "./board.js";
import { byId, make, many, minus, pawns, scoreText, write } from "./dom.js";
import { Lines, moveButtons } from "./lines.js";

const FULL_METER = 300; // centipawns
const RESULTS = { "1-0": [1000, 0, 0], "1/2-1/2": [0, 1000, 0], "0-1": [0, 0, 1000] };
const PLAIN = "What the engine thinks of its own move.";

export class Think {
  constructor(talk, board) {
    this.talk = talk;
    this.board = board;
    this.on = false;
    this.evaluation = null;
    this.thinking = null;
    for (const id of ["evaluation", "count", "threads", "hash", "limit", "show-people", "people-rating"]) byId(id).addEventListener("change", () => this.ask());
    byId("show-worth").addEventListener("change", () => this.showWorth());
    this.lines = new Lines(talk, board, () => this.thinking && this.show(this.thinking)); // they stand still meanwhile
    talk.on("thinking", (message) => this.show(message));
    talk.on("evaluation", (message) => this.showEvaluation(message));
    talk.on("hello", ({ shared }) => {
      for (const id of ["threads", "hash"]) byId(id).parentElement.hidden = shared; // they are not one page's
      if (this.on) this.ask();
    });
  }

  turn(on) {
    if (on === this.on) return;
    this.on = on;
    byId("progress").hidden = !on;
    if (!on) this.board.point([]);
    this.lines.leave();
    this.ask();
    this.showWorth();
    this.showFound();
  }

  ask() {
    const classical = byId("evaluation").value === "classical";
    const [threads, hash, depth] = ["threads", "hash", "limit"].map((id) => Number(byId(id).value) || null);
    const rating = Math.round(Number(byId("people-rating").value)) || 1500;
    const people = byId("show-people").checked ? Math.min(Math.max(rating, 600), 2600) : null;
    const heard = this.talk.say("watch", { people, on: this.on, lines: Number(byId("count").value), classical, threads, hash, depth });
    if (!heard) this.lose();
  }

  lose() {
    this.thinking = this.position = null;
    byId("progress").textContent = "Not connected.";
  }

  // Another position: what was thought of the last one is no longer true.
  game(game) {
    this.shown = `${game.board} ${game.turn[0]}`;
    if (game.lost.includes("show")) write(byId("progress"), "The engine is gone.");
    const key = `${game.fen} ${game.at} ${game.result}`;
    if (key === this.position) return;
    this.position = key;
    this.evaluation = this.thinking = null;
    byId("people").textContent = "";
    this.lines.leave();
    this.showWorth();
    this.board.point([]);
    byId("lines").dataset.node = game.node;
    byId("lines").replaceChildren();
    const isOver = game.result && game.at === game.sans.length; // a search goes on behind a resigned game
    this.end = isOver ? [RESULTS[game.result], game.result.replaceAll("1/2", "½").replace("-", "–")] : null;
    if (isOver) this.showChances(...this.end);
    if (!game.lost.includes("show")) write(byId("progress"), isOver ? `The game is over: ${game.reason}.` : "");
    if (this.latest) this.show(this.latest); // which may have come before the game
  }

  show(message) {
    this.latest = message;
    if (!message.fen.startsWith(this.shown)) return; // it is about another position than the board shows
    this.thinking = message;
    if (!this.on || this.lines.held) return;
    const about = message.purpose === "move" ? `${PLAIN} ` : "";
    if (!message.lines.length) {
      byId("progress").textContent = `${about}Thinking …`;
      return;
    }
    byId("progress").textContent =
      `${about}Depth ${message.depth}/${message.seldepth} · ${many(message.nodes)} positions · ` +
      `${many(message.nps)}/s · ${message.seconds.toFixed(1)} s`;
    byId("lines").replaceChildren(...message.lines.map((line) => drawLine(scoreText(line.cp, line.mate), line.moves)));
    const best = message.lines[0];
    this.showChances(best.chances, scoreText(best.cp, best.mate));
    const firsts = message.lines.map((line) => line.moves[0].squares);
    const arrows = firsts.map((squares, rank) => arrow(squares, rank ? "other" : "best"));
    this.board.point(arrows.filter((_, rank) => firsts.indexOf(firsts[rank]) === rank).reverse());
  }

  // What a review has found of the position on the board, for where nothing is searched; null: nothing.
  keep(found) {
    this.found = found;
    this.showFound();
  }

  showFound() {
    byId("bar").classList.toggle("shown", this.on || Boolean(this.found));
    if (this.on) return;
    byId("chances").hidden = true;
    byId("lines").replaceChildren(...(this.found?.lines ?? []).map(({ score, moves }) => drawLine(minus(score), moves)));
    if (this.end) this.showBar(expected(this.end[0]), this.end[1]);
    else if (this.found) this.showBar(this.found.chance, minus(this.found.score));
  }

  showBar(expected, text) {
    const bar = byId("bar");
    bar.firstChild.style.height = `${expected}%`;
    bar.lastChild.textContent = text;
    bar.setAttribute("aria-valuenow", expected.toFixed(0));
  }

  // Of White, a draw and Black, per mille.
  showChances(known, text) {
    const chances = known ?? [500, 0, 500];
    this.showBar(expected(chances), text);
    byId("chances").hidden = !known;
    const ends = [0, chances[0], chances[0] + chances[1], 1000].map((end) => Math.round(end / 10)); // together 100 %
    ["white", "draw", "black"].forEach((side, index) => {
      const part = byId("chances").querySelector(`.${side}`);
      part.style.width = `${chances[index] / 10}%`;
      part.textContent = chances[index] >= 100 ? `${ends[index + 1] - ends[index]} % ${side === "draw" ? "drawn" : ""}` : "";
      part.title = `${side}: ${chances[index] / 10} % of games between engines`;
    });
  }

  showEvaluation(message) {
    this.evaluation = message;
    byId("people").textContent = message.people.map(({ san, share }) => `${san} ${share} %`).join(" · ");
    const table = byId("parts");
    const about = byId("glance-about");
    if (message.check) {
      about.textContent = "In check there is no static evaluation: the search goes on.";
      table.replaceChildren();
      this.showWorth();
      return;
    }
    about.textContent = message.network
      ? `The static evaluation of the network, in pawns from White's view (stage ${message.stage} of 7).`
      : `The terms of the classical evaluation, in pawns (${message.stage} parts of 24 middlegame).`;
    if (message.network && !message.decides) about.textContent += " This ending is evaluated by the classical evaluation, which knows it.";
    byId("worth-about").textContent = message.network
      ? "Show on the board what each piece is worth, in centipawns"
      : "Show on the board what each piece gets for its square, in centipawns";
    const rows = message.rows.filter((row) => row.score || row.white || ["material", "positional", "threats"].includes(row.name));
    table.replaceChildren(
      ...(message.network ? [] : [head()]),
      make("tbody", {}, ...rows.map((row) => partRow(row, message.network))),
      make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, "together"), ...(message.network ? [] : [make("td"), make("td")]),
        make("td", {}, pawns(message.score)), make("td", { class: "meter quiet" }, `shown as ${pawns(message.shown)}`))),
    );
    this.showWorth();
  }

  showWorth() {
    const wanted = this.on && byId("show-worth").checked && this.evaluation && !this.evaluation.check;
    this.board.showWorth(wanted ? this.evaluation.places : null);
  }
}

// White's expected score in per cent.
function expected([white, draw]) {
  return (white + draw / 2) / 10;
}

function drawLine(score, moves) {
  const behind = score.includes("−");
  return make("li", {},
    make("span", { class: `score${behind ? " black" : ""}` }, score),
    make("div", { class: "line" }, ...moveButtons(moves)));
}

function head() {
  return make("thead", {}, make("tr", {}, ...["", "White", "Black", "score", ""].map((text) => make("th", { scope: "col" }, text))));
}

// One part of the evaluation; `pair` is what a side gets in the middlegame and in the endgame.
function partRow(row, short) {
  const pair = (halves) => (halves ? `${minus((halves[0] / 100).toFixed(2))} ${minus((halves[1] / 100).toFixed(2))}` : "");
  const sides = short ? [] : [make("td", {}, pair(row.white)), make("td", {}, pair(row.black))];
  const share = (Math.min(Math.abs(row.score) / FULL_METER, 1) * 50).toFixed(1);
  const bar = make("i", { class: row.score < 0 ? "minus" : null });
  bar.style.width = `${share}%`;
  bar.style.left = row.score < 0 ? `${50 - share}%` : "50%";
  return make("tr", {}, make("th", { scope: "row" }, row.name), ...sides, make("td", {}, pawns(row.score)),
    make("td", { class: "meter" }, make("div", {}, bar)));
}
