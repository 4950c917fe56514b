// The page: puts its parts together.

import { Board } from "./board.js";
import { byId, clearToasts, toast } from "./dom.js";
import { Endings } from "./endings.js";
import { keepFocus, listenToKeys } from "./keys.js";
import { Learn } from "./learn.js";
import { Loading } from "./loading.js";
import { Moves } from "./moves.js";
import { Play } from "./play.js";
import { Players } from "./players.js";
import { Practise } from "./practise.js";
import { Review } from "./review.js";
import { listenToSettings, openDialog, toggleFocus } from "./settings.js";
import { SetUp } from "./setup.js";
import { Sound } from "./sound.js";
import { Talk } from "./talk.js";
import { Think } from "./think.js";

const TABS = ["play", "think", "learn", "practise", "endings"];
const LOST = "The connection is lost. Is “boomslang board” still running?";

const talk = new Talk();
const board = new Board({
  play: (squares, promotion) => talk.say("move", { squares, promotion }),
  draw: (node, shapes) => talk.say("shapes", { node, shapes }),
  turned: () => game && players.show(game),
});
const players = new Players(board);
const moves = new Moves(talk);
const play = new Play(talk, board);
const think = new Think(talk, board);
const learn = new Learn(talk, board);
const practise = new Practise(talk, board);
const endings = new Endings(talk, board);
new Loading(talk);
const review = new Review(talk, board, moves, think);
const sound = new Sound();
const setUp = new SetUp(board, (fen) => play.setUp(fen));
let game = null;
let side = null; // below in the game, while exercises are on the board

talk.on("game", (message) => {
  const isFirst = game === null;
  const begins = isFirst || play.turnTo || message.person !== game.person;
  if (begins && (message.person || isFirst)) board.turn(message.person ?? message.below);
  game = message;
  play.turnTo = false;
  for (const part of [board, players, moves, play, setUp, sound]) part.show(message);
  think.game(message);
  review.look(message);
  learn.game(message);
  if (message.lost.length) warn("The engine could not be kept alive.", true);
  else warn(null);
  if (isFirst) choose(sessionStorage.getItem("tab") ?? "play"); // as before the page was loaded again
});
talk.on("error", ({ text }) => toast(text, "error"));
talk.on("promotion", ({ squares, fen }) => game?.fen === fen && board.promote(squares));
talk.on("loaded", () => {
  if (practise.on) toast("Review the game, and add its mistakes to your exercises.");
  showGame();
  board.turn(game.below);
});
talk.on("begun", () => {
  showGame();
  if (game.person) board.turn(game.person);
});
talk.on("word", ({ text }) => toast(text));
talk.on("compiling", ({ done, total }) => {
  const line = byId("compiling");
  line.hidden = done === total;
  line.textContent = `First start: compiling the engine, ${done} of ${total} parts. Until then a simple search plays and thinks.`;
  if (total && line.hidden) toast("The engine is compiled and has its full strength.");
});
talk.on("full", ({ text }) => warn(text));
talk.on("hello", () => {
  warn(null);
  byId("compiling").hidden = true; // until the server says otherwise
});
talk.on("sent", ({ wanted }) => wanted !== "watch" && clearToasts());
talk.on("unsent", ({ wanted }) => {
  if (wanted === "watch") return; // said again at every "hello"
  toast("Not connected: nothing was sent. Try again in a moment.", "error");
  if (game) board.show(game);
});
talk.on("lost", ({ failures }) => {
  for (const part of [players, play, think]) part.lose();
  if (failures !== Infinity) warn(LOST);
});

function warn(text, canStart = false) {
  const banner = byId("banner");
  banner.hidden = text === null;
  banner.querySelector("span").textContent = text ?? "";
  banner.querySelector("button").hidden = !canStart;
}

// Another game is on the board, instead of what was there.
function showGame() {
  setUp.close();
  byId("load").close();
  if (practise.on || endings.on) choose("play");
}

function choose(name) {
  for (const tab of TABS) {
    const chosen = tab === name;
    byId(`tab-${tab}`).setAttribute("aria-selected", chosen);
    byId(`tab-${tab}`).tabIndex = chosen ? 0 : -1;
    byId(tab).hidden = !chosen;
  }
  byId("right").dataset.tab = name;
  sessionStorage.setItem("tab", name);
  if (name !== "play") setUp.close();
  think.turn(name === "think");
  learn.turn(name === "learn");
  for (const part of [practise, endings]) part.turn(false); // the game is on the board before the next one
  if (name === "practise") practise.turn(true);
  if (name === "endings") endings.turn(true);
  if (practise.on || endings.on) {
    side ??= board.orientation;
  } else if (side) {
    board.turn(side);
    side = null;
  }
  scrollTo(0, 0);
}

byId("banner").querySelector("button").addEventListener("click", () => talk.say("again"));
byId("flip").addEventListener("click", () => board.turn(board.other));
for (const [index, tab] of TABS.entries()) {
  byId(`tab-${tab}`).addEventListener("click", () => choose(tab));
  byId(`tab-${tab}`).addEventListener("keydown", (event) => {
    const step = { ArrowLeft: TABS.length - 1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.stopPropagation();
    const next = TABS[(index + step) % TABS.length];
    choose(next);
    byId(`tab-${next}`).focus();
  });
}
listenToSettings();
keepFocus();
listenToKeys({
  "ArrowLeft": () => moves.go(-1),
  "ArrowRight": () => moves.go(1),
  "Home": () => moves.goTo(0),
  "End": () => moves.goTo(Infinity),
  "f": () => board.turn(board.other),
  "u": () => talk.say("undo"),
  "n": () => (practise.on ? practise.next() : endings.on ? endings.next() : play.begin()),
  "/": () => byId("said").focus(),
  "?": () => openDialog("keys"),
  "z": toggleFocus,
  "ArrowUp": () => review.step(-1),
  "ArrowDown": () => review.step(1),
  "t": () => review.begin(),
  "e": () => review.keep(),
  "1": () => choose("play"),
  "2": () => choose("think"),
  "3": () => choose("learn"),
  "4": () => choose("practise"),
  "5": () => choose("endings"),
  "s": () => (practise.on ? practise.solve() : endings.on ? endings.hint() : review.solve()),
  ...learn.keys(),
});
