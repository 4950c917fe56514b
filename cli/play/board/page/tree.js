// Draws a tree from left to right. Branches that would be too much are folded; a click opens and closes them.

import { makeSvg, minus, pawns } from "./dom.js";
import { bestLine, childrenOf, wantsHigh } from "./replay.js";

const ROW = 24, HEAD = 26, BOX = 20;
const WIDE = { column: 142, box: 112 }, NARROW = { column: 116, box: 98 };
const SMALL = 64; // nodes that are shown all at once

export class TreeView {
  // `choose(node)` is called when the mouse is on a node, with null when it leaves.
  constructor(container, choose) {
    this.container = container;
    this.choose = choose;
    container.addEventListener("click", (event) => this.toggle(event.target.closest("[data-node]")));
    container.addEventListener("pointerover", (event) => {
      const node = event.target.closest("[data-node]");
      if (node) choose(Number(node.dataset.node));
    });
    container.addEventListener("pointerleave", () => choose(null));
  }

  begin(tree, game) {
    this.tree = tree;
    this.game = game;
    this.children = childrenOf(tree);
    this.opened = new Map(); // by the person: true or false
    this.state = null;
  }

  toggle(target) {
    const number = Number(target?.dataset.node ?? NaN);
    if (Number.isNaN(number) || !this.children[number].length) return;
    this.opened.set(number, !this.isOpen(number));
    this.draw(this.state, false);
  }

  isOpen(number) {
    return this.opened.get(number) ?? (this.tree.nodes.length <= SMALL || this.spine.has(number));
  }

  // `atEnd` of the steps the best line is brought into view, else the node that is being looked at.
  draw(state, follow = true, atEnd = false) {
    this.state = state;
    this.line = new Set(bestLine(state));
    this.spine = new Set([0, ...(state.path.length > 1 ? state.path : this.line), this.tree.nodes[state.now].parent]);
    this.size = this.container.clientWidth < 480 ? NARROW : WIDE;
    this.places = new Map();
    this.stubs = [];
    this.rows = 0;
    this.deepest = 0;
    this.place(0);
    const width = (this.deepest + 1) * this.size.column + 8, height = HEAD + this.rows * ROW + 8;
    const svg = makeSvg("svg", { width, height });
    this.drawHeads(svg);
    for (const number of this.places.keys()) this.drawEdge(svg, number);
    for (const stub of this.stubs) this.drawStub(svg, stub);
    for (const number of this.places.keys()) this.drawNode(svg, number);
    this.container.replaceChildren(svg);
    if (follow && atEnd) this.followLine();
    else if (follow) this.follow();
  }

  // Give a node and what is visible below it their rows; returns the node's height.
  place(number) {
    const node = this.tree.nodes[number];
    this.deepest = Math.max(this.deepest, node.ply);
    const heights = [];
    if (this.isOpen(number)) {
      for (const child of this.children[number]) if (this.state.entered[child]) heights.push(this.place(child));
      if (this.state.cut[number]) {
        const y = HEAD + this.rows++ * ROW + ROW / 2;
        this.stubs.push({ number, y });
        this.deepest = Math.max(this.deepest, node.ply + 1);
        heights.push(y);
      }
    }
    const y = heights.length ? (heights[0] + heights.at(-1)) / 2 : HEAD + this.rows++ * ROW + ROW / 2;
    this.places.set(number, { x: 6 + node.ply * this.size.column, y });
    return y;
  }

  drawHeads(svg) {
    const names = this.game === "22" ? ["first: highest", "second: lowest"] : ["White: highest", "Black: lowest"];
    if (this.tree.kind === "growth") names.splice(0, 2, ...names.map((name) => name.split(":")[0]));
    for (let ply = 0; ply <= this.deepest; ply++) {
      const x = 6 + ply * this.size.column;
      svg.append(makeSvg("text", { class: "head", x, y: 12 }, names[wantsHigh(this.tree, ply) ? 0 : 1]));
    }
  }

  drawEdge(svg, number) {
    const { parent } = this.tree.nodes[number];
    if (parent < 0) return;
    const from = this.places.get(parent), to = this.places.get(number);
    const onLine = this.line.has(number) && this.line.has(parent);
    const onPath = this.state.path.includes(number) && this.state.path.includes(parent);
    svg.append(curve(from.x + this.size.box, from.y, to.x, to.y, `edge${onPath ? " path" : onLine ? " best" : ""}`));
  }

  drawStub(svg, { number, y }) {
    const from = this.places.get(number), { leftOut } = this.tree.nodes[number];
    const x = from.x + this.size.column;
    svg.append(curve(from.x + this.size.box, from.y, x, y, "stub"));
    svg.append(makeSvg("text", { class: "left-out", x: x + 4, y }, `✂ ${leftOut} ${leftOut === 1 ? "move" : "moves"} left out`));
  }

  drawNode(svg, number) {
    const { x, y } = this.places.get(number), node = this.tree.nodes[number], { state } = this;
    const kinds = ["node"];
    if (state.now === number) kinds.push("now");
    else if (this.line.has(number)) kinds.push("best");
    if (state.cut[number]) kinds.push("cut");
    if (!state.left[number] && this.tree.kind === "search") kinds.push("open");
    const group = makeSvg("g", { class: kinds.join(" "), "data-node": number });
    group.append(makeSvg("rect", { x, y: y - BOX / 2, width: this.size.box, height: BOX, rx: 5 }));
    const total = this.game === "22" ? ` = ${node.board}` : "";
    const name = number ? `${node.move}${total}` : this.game === "22" ? node.board : "here";
    group.append(makeSvg("text", { class: "name", x: x + 6, y }, name));
    group.append(makeSvg("text", { class: "value", x: x + this.size.box - 6, y }, this.valueText(number)));
    const hidden = this.hidden(number);
    if (hidden) group.append(makeSvg("text", { class: "fold", x: x + this.size.box + 4, y }, `▸${hidden}`));
    svg.append(group);
  }

  valueText(number) {
    const { state, tree } = this, value = state.value[number];
    if (tree.kind === "growth") {
      const mean = value === null ? "" : state.left[number] ? `=${signed(value, 0)}` : signed(value, 2);
      return `${mean} ·${state.visits[number]}`;
    }
    if (value === null) return "…";
    return `${state.left[number] ? "" : "~"}${worth(value, this.game)}`;
  }

  // How many nodes below this one are not shown.
  hidden(number) {
    const { below } = this.tree.nodes[number];
    if (this.isOpen(number)) return this.state.left[number] ? below ?? 0 : 0;
    let count = 0;
    const stack = [...this.children[number]];
    while (stack.length) {
      const next = stack.pop();
      if (!this.state.entered[next]) continue;
      count += 1 + (this.tree.nodes[next].below ?? 0);
      stack.push(...this.children[next]);
    }
    return count + (below ?? 0);
  }

  // Of a line that is higher than the view its first move.
  followLine() {
    const heights = [...this.line].slice(1).map((number) => this.places.get(number)?.y).filter(Boolean);
    if (!heights.length) return this.follow();
    const [top, bottom] = [Math.min(...heights), Math.max(...heights)];
    const fits = bottom - top < this.container.clientHeight - 2 * HEAD;
    this.container.scrollTop = (fits ? (top + bottom) / 2 : heights[0]) - this.container.clientHeight / 2;
    this.container.scrollLeft = 0;
  }

  follow() {
    const now = this.places.get(this.state.now);
    if (!now) return;
    const box = this.container;
    if (now.y < box.scrollTop + HEAD || now.y > box.scrollTop + box.clientHeight - ROW) box.scrollTop = now.y - box.clientHeight / 2;
    if (now.x < box.scrollLeft || now.x + this.size.box > box.scrollLeft + box.clientWidth) box.scrollLeft = now.x - box.clientWidth / 3;
  }
}

// The value of a position as people write it.
export function worth(value, game) {
  if (value === null) return "…";
  if (typeof value === "string") return minus(value);
  return game === "22" ? signed(value, 0) : pawns(value);
}

function signed(value, digits) {
  const text = value.toFixed(digits);
  return Number(text) > 0 ? `+${text}` : Number(text) === 0 ? (0).toFixed(digits) : minus(text);
}

function curve(x1, y1, x2, y2, kind) {
  const middle = (x1 + x2) / 2;
  return makeSvg("path", { class: kind, d: `M${x1},${y1} C${middle},${y1} ${middle},${y2} ${x2},${y2}` });
}
