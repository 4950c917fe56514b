// Says in words what a step of a search does.

import { make } from "./dom.js";
import { bestLine, wantsHigh } from "./replay.js";
import { worth } from "./tree.js";

export const IDEAS = {
  minimax: "White chooses the highest value, Black the lowest, and every line is looked at to the same depth. There a simple count of material and squares gives the value.",
  alphabeta: "The same value with fewer positions: once a reply shows that a move is worse than another one, nobody need know how much worse. The rest of its replies is left out.",
  ordering: "The same again, with captures and central moves first. The sooner the good moves come, the more is left out.",
  quiescence: "At the last ply the captures are played out, and checks cost no depth: only quiet positions are evaluated. So the search does not believe in a piece that is lost by the next move.",
  mcts: "The tree grows where it looks promising. Each playout goes down the tree, adds a position, evaluates it, and updates all positions on the way; what was tried seldom gets its chance.",
};

export function sideNames(game) {
  return game === "22" ? ["The first player", "The second player"] : ["White", "Black"];
}

export class Narrator {
  constructor(tree, game, positions) {
    this.tree = tree;
    this.game = game;
    this.positions = positions;
  }

  // What happened in the last of `count` steps.
  tell(state, count) {
    if (!count) return [`${this.mover(0)} is to move. Step on, or run the search.`];
    if (this.tree.kind === "growth") return this.tellPlayout(state, count);
    const event = this.tree.steps[count - 1];
    return event >= 0 ? this.tellEntry(event) : this.tellLeaving(state, ~event);
  }

  mover(ply) {
    return sideNames(this.game)[wantsHigh(this.tree, ply) ? 0 : 1];
  }

  value(number) {
    return worth(this.tree.nodes[number].value, this.game);
  }

  // The moves from the root to a node.
  line(number) {
    const moves = [];
    for (let at = number; at > 0; at = this.tree.nodes[at].parent) moves.unshift(this.tree.nodes[at].move);
    return moves.join(" ");
  }

  tellEntry(number) {
    const node = this.tree.nodes[number];
    if (node.parent < 0) return [`The search begins. ${this.mover(0)} is to move.`];
    const parts = [`${this.mover(node.ply - 1)} tries `, make("b", {}, node.move), `: ${this.line(number)}.`];
    const [low, high] = node.window;
    if (low !== null && high !== null) parts.push(` Only a value between ${worth(low, this.game)} and ${worth(high, this.game)} matters here.`);
    else if (low !== null) parts.push(` Only more than ${worth(low, this.game)} matters here.`);
    else if (high !== null) parts.push(` Only less than ${worth(high, this.game)} matters here.`);
    return parts;
  }

  tellLeaving(state, number) {
    const node = this.tree.nodes[number], best = state.best[number];
    const move = best >= 0 ? this.tree.nodes[best].move : null;
    if (node.parent < 0) {
      return [`Done: ${this.mover(0)} plays `, make("b", {}, move ?? "nothing"), `, worth ${this.value(number)}, after ${this.positions.toLocaleString("en")} positions.`];
    }
    if (state.cut[number] && move) return this.tellCut(node, number, move);
    if (move) return [`The best for ${this.inside(node.ply)} is ${move}, so ${this.line(number)} is worth `, make("b", {}, this.value(number)), "."];
    const below = node.below ? ` (${node.below.toLocaleString("en")} positions below it are not drawn)` : "";
    return [`${this.line(number)} is evaluated: `, make("b", {}, this.value(number)), `${below}.`];
  }

  tellCut(node, number, move) {
    const [low, high] = node.window;
    const bound = worth(wantsHigh(this.tree, node.ply) ? high : low, this.game);
    const left = node.leftOut === 1 ? "one move is" : `${node.leftOut} moves are`;
    return [
      make("b", { class: "cut" }, "Cut-off. "),
      `After ${this.line(number)}, ${this.inside(node.ply)} has ${move} with ${this.value(number)}. ` +
        `But ${this.inside(node.ply - 1)} is sure of ${bound} elsewhere and will not let it come to this: ${left} never looked at.`,
    ];
  }

  tellPlayout(state, count) {
    const { path, result, proven } = this.tree.steps[count - 1];
    const parts = [`Playout ${count}: ${this.line(path.at(-1)) || "the position itself"} is evaluated as `, make("b", {}, format(result)), `, and all ${path.length} positions on the way are updated.`];
    if (proven.length) parts.push(` Proven now: ${proven.map(([number, value]) => `${this.line(number) || "the root"} = ${format(value)}`).join(", ")}.`);
    if (count === this.tree.steps.length) {
      const best = bestLine(state)[1];
      if (best) parts.push(` Visited most: ${this.tree.nodes[best].move}.`);
    }
    return parts;
  }

  inside(ply) {
    const name = this.mover(ply);
    return this.game === "22" ? name.replace("The", "the") : name;
  }
}

function format(value) {
  const text = (Number.isInteger(value) ? value : value.toFixed(2)).toString().replace("-", "−");
  return value > 0 ? `+${text}` : text;
}
