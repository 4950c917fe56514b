// Learn: asks for a tree, goes through its steps, and shows what other algorithms need for the same.

import { arrow } from "./board.js";
import { byId, make } from "./dom.js";
import { IDEAS, Narrator } from "./narrator.js";
import { replay } from "./replay.js";
import { TreeView } from "./tree.js";

const HORIZON = "4k2r/7p/pq6/8/1pQ1P3/5PP1/PB1r1R1P/R5K1 w - - 0 1";
const NAMES = { minimax: "minimax", alphabeta: "alpha-beta", ordering: "+ ordering", quiescence: "+ quiescence" };
const RUN = 8000; // milliseconds for all steps, if there are many
const MAX_STEP = 700;
const ABOUT_HORIZON = " The rook on f2 is lost unless White plays Rf1. Look how Bxh8 and Qc8+ push that out of sight at depths 1 to 3, and what depth 5 with ordering, or quiescence search, make of it.";
const ABOUT_22 = " In turn add 1, 2 or 3; 20 is a draw, who reaches 21 wins, 22 counts double.";

export class Learn {
  constructor(talk, board) {
    this.talk = talk;
    this.board = board;
    this.on = false;
    this.tree = null;
    this.step = 0;
    this.timer = null;
    this.view = new TreeView(byId("tree"), (node) => this.glance(node ?? this.resting()));
    this.submit = byId("lesson").querySelector("[type=submit]");
    byId("lesson").addEventListener("submit", (event) => this.ask(event));
    for (const id of ["subject", "algorithm"]) byId(id).addEventListener("change", () => this.offer(id));
    byId("step").addEventListener("input", () => this.goTo(Number(byId("step").value)));
    const buttons = { "step-first": () => this.goTo(0), "step-back": () => this.go(-1), "step-forward": () => this.go(1), "step-last": () => this.goTo(Infinity), "step-cut": () => this.nextCut(), "step-play": () => this.run() };
    for (const [id, action] of Object.entries(buttons)) byId(id).addEventListener("click", () => (id === "step-play" ? action() : this.halt(action)));
    talk.on("lesson", (message) => this.receive(message));
    talk.on("counts", (message) => this.count(message));
    talk.on("lost", () => this.wait(false));
    this.offer("subject");
  }

  keys() {
    const here = (action) => () => (this.on && this.tree ? action() : false);
    return { ",": here(() => this.go(-1)), ".": here(() => this.go(1)), " ": here(() => this.run()), "c": here(() => this.nextCut()) };
  }

  turn(on) {
    this.on = on;
    if (!on) this.halt();
    this.glance(null);
  }

  game() {
    if (this.on && this.tree && byId("subject").value !== "position") return;
    if (this.on) this.board.glance(null); // the board is for the game again until the next step
  }

  // Show the choices that go together.
  offer(changed) {
    const subject = byId("subject").value, counting = subject === "22";
    const algorithm = byId("algorithm");
    algorithm.querySelector("[value='quiescence']").disabled = counting;
    if (counting && algorithm.value === "quiescence") algorithm.value = "ordering";
    if (changed === "subject") {
      byId("depth").max = counting ? 22 : 8;
      byId("depth").value = counting ? 8 : 3;
      byId("width").value = subject === "horizon" ? "0" : "3";
      if (subject === "horizon") algorithm.value = "alphabeta";
    }
    const growing = algorithm.value === "mcts";
    byId("depth-field").hidden = growing;
    byId("width-field").hidden = growing || counting;
    byId("total-field").hidden = !counting;
    byId("playouts-field").hidden = !growing;
    byId("idea").textContent = IDEAS[algorithm.value] + (counting ? ABOUT_22 : subject === "horizon" ? ABOUT_HORIZON : "");
  }

  ask(event) {
    event.preventDefault();
    const subject = byId("subject").value, algorithm = byId("algorithm").value;
    const wanted = {
      game: subject === "22" ? "22" : "chess", algorithm, fen: subject === "horizon" ? HORIZON : null,
      depth: Number(byId("depth").value), width: Number(byId("width").value),
      total: Number(byId("total").value), playouts: Number(byId("playouts").value),
    };
    this.halt();
    this.offer(); // replaces an error message by the idea
    if (this.talk.say("tree", wanted)) this.wait(true);
  }

  wait(waiting) {
    this.submit.textContent = waiting ? "Searching …" : "Draw the tree";
  }

  receive(message) {
    this.number = message.number;
    byId("counted").hidden = true;
    if (message.problem) {
      this.wait(false);
      this.tree = null;
      byId("drawing").hidden = true;
      byId("idea").textContent = message.problem;
      return;
    }
    if (!message.tree) return;
    this.wait(false);
    this.tree = message.tree;
    this.subject = message.game;
    this.narrator = new Narrator(this.tree, message.game, this.tree.positions);
    byId("drawing").hidden = false;
    byId("step").max = this.tree.steps.length;
    const growing = this.tree.kind === "growth";
    byId("step-cut").hidden = growing || !this.tree.nodes.some((node) => node.leftOut);
    byId("legend").textContent = growing
      ? "Mean result and number of visits; “=” is proven. Thick and green: visited most."
      : "“~”: so far. Green: the best line. Blue: what is being looked at. ▸: so many positions are folded, click to open.";
    this.view.begin(this.tree, message.game);
    this.goTo(Infinity);
    byId("drawing").scrollIntoView({ block: "nearest" });
    if (document.activeElement === this.submit) byId("step-play").focus({ preventScroll: true }); // the space bar runs
  }

  go(steps) {
    this.goTo(this.step + steps);
  }

  goTo(step) {
    if (!this.tree) return;
    this.step = Math.max(0, Math.min(step, this.tree.steps.length));
    byId("step").value = this.step;
    this.state = replay(this.tree, this.step);
    this.view.draw(this.state, true, this.step === this.tree.steps.length);
    byId("narration").replaceChildren(...this.narrator.tell(this.state, this.step));
    byId("step-first").disabled = byId("step-back").disabled = this.step === 0;
    byId("step-last").disabled = byId("step-forward").disabled = this.step === this.tree.steps.length;
    this.glance(this.resting());
  }

  // The node that the board shows while the mouse is nowhere; null: the game.
  resting() {
    const atEnd = this.step === this.tree.steps.length;
    return atEnd && byId("subject").value === "position" ? null : this.state.now;
  }

  nextCut() {
    const { steps, nodes } = this.tree;
    for (let step = this.step; step < steps.length; step++) {
      if (steps[step] < 0 && nodes[~steps[step]].leftOut) return this.goTo(step + 1);
    }
    this.goTo(Infinity);
  }

  run() {
    if (this.timer) return this.halt();
    if (this.step === this.tree.steps.length) this.goTo(0);
    byId("step-play").textContent = "⏸";
    const pause = Math.max(30, Math.min(MAX_STEP, RUN / this.tree.steps.length));
    const many = Math.max(1, Math.round((pause * this.tree.steps.length) / (4 * RUN)));
    this.timer = setInterval(() => {
      this.go(many);
      if (this.step === this.tree.steps.length) this.halt();
    }, pause);
  }

  halt(action) {
    clearInterval(this.timer);
    this.timer = null;
    byId("step-play").textContent = "▶";
    action?.();
  }

  // Show the position of a node on the board; null: what the step shows, or the game.
  glance(number) {
    if (!this.on || !this.tree || this.subject === "22" || number === null) return this.board.glance(null);
    const { board, squares } = this.tree.nodes[number];
    const arrows = squares ? [arrow(squares, "step")] : [];
    this.board.glance({ board, squares, arrows });
  }

  count({ number, counts, most }) {
    if (number !== this.number) return;
    const largest = Math.max(...Object.values(counts).map((value) => value ?? most));
    const rows = Object.keys(NAMES).filter((name) => name in counts).flatMap((name) => {
      const value = counts[name], chosen = name === byId("algorithm").value ? " chosen" : "";
      const bar = make("div");
      bar.style.width = `${(100 * (value ?? most)) / largest}%`;
      return [
        make("span", { class: `name${chosen}` }, NAMES[name]),
        make("div", { class: `track${chosen}` }, bar),
        make("span", { class: `number${chosen}` }, value === null ? `more than ${most.toLocaleString("en")}` : value.toLocaleString("en")),
      ];
    });
    byId("counts").replaceChildren(...rows);
    byId("counted").hidden = false;
  }
}
