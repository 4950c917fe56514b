// The graph of White's winning chances, on the board and in a report. It is drawn in the pixels that there are, and again when they change.

import { svgElement } from "./changes.js";

export class Graph {
  constructor(container, choose) {
    this.container = container;
    this.choose = choose; // called with the number of a position
    this.chances = [];
    this.marks = [];
    this.phases = [];
    this.others = [];
    this.at = 0;
    new ResizeObserver(() => this.draw()).observe(container);
    container.addEventListener("click", (event) => {
      const box = container.getBoundingClientRect();
      const part = (event.clientX - box.left) / Math.max(box.width, 1);
      this.choose(Math.round(Math.min(Math.max(part, 0), 1) * Math.max(this.chances.length - 1, 0)));
    });
  }

  // `chances` by position, null where there is none; `marks` are pairs of a position and a judgement;
  // `phases` have a name and a first position; `others` are the chances by a second engine.
  show(chances, marks, phases, others) {
    this.chances = chances;
    this.others = others;
    this.marks = marks;
    this.phases = phases;
    this.draw();
  }

  move(position) {
    this.at = position;
    const line = this.container.querySelector(".here");
    if (!line) return;
    line.setAttribute("x1", this.x(position));
    line.setAttribute("x2", this.x(position));
  }

  x(position) {
    return (position / Math.max(this.chances.length - 1, 1)) * this.width;
  }

  y(chance) {
    return this.height - (chance / 100) * this.height;
  }

  draw() {
    this.width = this.container.clientWidth;
    this.height = this.container.clientHeight;
    if (!this.width || !this.height) return;
    const picture = svgElement("svg", {
      width: this.width, height: this.height, role: "img",
      "aria-label": "White's winning chances by move",
    });
    for (const chance of [25, 50, 75]) {
      const y = this.y(chance);
      picture.append(svgElement("line", { x1: 0, y1: y, x2: this.width, y2: y, class: "grid" }));
    }
    const pointsOf = (stretch, chances) => stretch.map((position) => `${this.x(position)},${this.y(chances[position])}`);
    for (const stretch of stretches(this.chances)) {
      const points = pointsOf(stretch, this.chances);
      const first = this.x(stretch[0]), last = this.x(stretch.at(-1));
      const area = [`${first},${this.height}`, ...points, `${last},${this.height}`];
      picture.append(svgElement("polygon", { points: area.join(" "), class: "area" }));
      picture.append(svgElement("polyline", { points: points.join(" "), class: "curve" }));
    }
    for (const stretch of stretches(this.others)) {
      picture.append(svgElement("polyline", { points: pointsOf(stretch, this.others).join(" "), class: "second" }));
    }
    for (const phase of this.phases) {
      const x = this.x(phase.first);
      if (phase.first) picture.append(svgElement("line", { x1: x, y1: 0, x2: x, y2: this.height, class: "phase" }));
      const label = svgElement("text", { x: x + 4, y: 14 });
      label.textContent = phase.name;
      const next = this.phases[this.phases.indexOf(phase) + 1];
      const room = (next ? this.x(next.first) : this.width) - x;
      if (room > 9 * phase.name.length) picture.append(label);
    }
    for (const [position, judgement] of this.marks) {
      if (this.chances[position] === null) continue;
      const cx = this.x(position), cy = this.y(this.chances[position]);
      picture.append(svgElement("circle", { cx, cy, r: 4, class: judgement }));
    }
    picture.append(svgElement("line", { x1: 0, y1: 0, x2: 0, y2: this.height, class: "here" }));
    this.container.replaceChildren(picture);
    this.move(this.at);
  }
}

// The positions that have a chance, in runs without a gap.
function stretches(chances) {
  const runs = [];
  let run = [];
  chances.forEach((chance, position) => {
    if (chance !== null) {
      run.push(position);
    } else if (run.length) {
      runs.push(run);
      run = [];
    }
  });
  if (run.length) runs.push(run);
  return runs;
}
