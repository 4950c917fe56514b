// Play: new games, the opponent, what can be done in a game, and positions and games as text.

import { byId, make, toast, write } from "./dom.js";

const FULL = Number(byId("level").max); // the end of the slider: no limit
const ASKED = 5000; // milliseconds

export class Play {
  constructor(talk, board) {
    this.talk = talk;
    this.board = board;
    this.game = null;
    this.copying = false;
    byId("new").addEventListener("submit", (event) => this.begin(event));
    byId("start").addEventListener("change", () => (byId("array").hidden = byId("start").value !== "array"));
    byId("level").addEventListener("input", () => this.showLevel());
    for (const id of ["level", "mine", "seconds", "style"]) byId(id).addEventListener("change", () => talk.say("level", this.opponent()));
    byId("seat").addEventListener("change", () => this.sit());
    byId("resign").addEventListener("click", () => this.resign());
    for (const word of ["undo", "draw", "cut"]) byId(word).addEventListener("click", () => talk.say(word));
    byId("say").addEventListener("submit", (event) => this.type(event));
    byId("said").addEventListener("keydown", (event) => this.edit(event));
    byId("set-fen").addEventListener("submit", (event) => {
      event.preventDefault();
      this.setUp(byId("fen").value.trim());
    });
    byId("copy-fen").addEventListener("click", () => copy(byId("fen"), "FEN"));
    byId("show-pgn").addEventListener("click", () => this.export(false));
    byId("copy-pgn").addEventListener("click", () => this.export(true));
    talk.on("pgn", ({ text }) => this.showPgn(text));
    this.showLevel();
  }

  show(game) {
    const first = this.game === null;
    this.game = game;
    write(byId("status"), status(game));
    write(byId("opening"), game.opening);
    if (!byId("load").open) byId("fen").value = game.fen;
    const over = Boolean(game.result);
    byId("undo").disabled = !game.sans.length && !over;
    byId("draw").disabled = byId("resign").disabled = over || game.person === null;
    byId("seat").value = game.person ?? "both";
    this.ask(false);
    if (first) byId("style").append(...game.styles.map((name) => make("option", {}, name)));
    if (first || game.mine) {
      byId("level").value = game.level ?? FULL;
      byId("mine").checked = game.mine;
      byId("seconds").value = `${game.seconds}`;
      byId("style").value = game.style;
      this.showLevel();
    }
  }

  // What was going on is not any more, as far as the page can know.
  lose() {
    write(byId("status"), "Not connected.");
  }

  opponent() {
    const level = Number(byId("level").value);
    const seconds = Number(byId("seconds").value);
    return { level: level >= FULL ? null : level, mine: byId("mine").checked, seconds, style: byId("style").value || null };
  }

  showLevel() {
    const { level, mine } = this.opponent();
    byId("level").disabled = mine;
    const elo = mine && this.game?.mine ? this.game.level : level;
    byId("level-shown").textContent = elo === null ? "full" : `${elo} Elo`;
  }

  begin(event) {
    event?.preventDefault();
    if (!this.game) return;
    const side = byId("side").value;
    const wanted = { side, clock: byId("clock").value || null, ...this.opponent() };
    const start = byId("start").value;
    if (start === "960") wanted.array = Math.floor(Math.random() * 960);
    if (start === "array") wanted.array = Number(byId("array").value);
    if (start === "here") Object.assign(wanted, { fen: this.game.fen, chess960: this.game.chess960 });
    this.turnTo = true;
    byId("new-game").close();
    this.talk.say("new", wanted);
  }

  sit() {
    this.turnTo = true;
    this.talk.say("side", { side: byId("seat").value });
  }

  setUp(fen) {
    this.talk.say("new", { fen, side: byId("seat").value, clock: null, ...this.opponent() });
  }

  // Resigning takes two clicks, the second one within some seconds.
  resign() {
    if (this.asked) this.talk.say("resign");
    this.ask(!this.asked);
  }

  ask(on) {
    clearTimeout(this.asked);
    this.asked = on ? setTimeout(() => this.ask(false), ASKED) : null;
    write(byId("resign"), on ? "Really resign?" : "Resign");
  }

  // In the field for moves: no move has a "/", which only leads there; Esc empties it, and leaves it elsewhere.
  edit(event) {
    if (event.key === "/") event.preventDefault();
    if (event.key === "Escape") byId("said").value = "";
  }

  export(copying) {
    this.copying = copying;
    this.talk.say("export");
  }

  showPgn(text) {
    byId("pgn").value = text;
    if (this.copying) copy(byId("pgn"), "PGN");
  }

  type(event) {
    event.preventDefault();
    const text = byId("said").value.trim();
    if (text && (this.board.typed(text) || this.talk.say("say", { text }))) byId("said").value = "";
  }
}

function status(game) {
  if (game.result) return `${game.result.replace("1/2-1/2", "½–½").replace("-", "–")}: ${game.reason}.`;
  if (game.lost.includes("move")) return "The engine is gone.";
  const mover = game.turn === "white" ? "White" : "Black";
  if (game.at !== game.sans.length) return `After ${game.at} of ${game.sans.length} plies.`;
  if (game.waiting) return "Boomslang is thinking …";
  const check = game.check ? ", in check" : "";
  return game.person === null ? `${mover} to move${check}.` : `Your move${check}.`;
}

// Copy what a field holds; where the browser does not allow it the text is selected.
async function copy(field, what) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    toast(`${what} copied.`);
  } catch {
    toast("The text is selected: copy it with Ctrl-C.");
  }
}
