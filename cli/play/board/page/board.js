// The board: chessground, told what the server says, with arrows and positions shown for a moment.

import { Chessground } from "./chessground/chessground.min.js";
import { placementOf, squaresOf } from "./changes.js";
import { byId, make, toast } from "./dom.js";
import { tellPosition } from "./position.js";
import { askPromotion, dropPromotion } from "./promotion.js";

const BRUSHES = {
  best: { key: "best", color: "#15781b", opacity: 0.85, lineWidth: 11 },
  other: { key: "other", color: "#15781b", opacity: 0.4, lineWidth: 8 },
  step: { key: "step", color: "#003088", opacity: 0.75, lineWidth: 11 },
};

export class Board {
  // `play(squares, promotion)` is called for a move that the person has made, `draw(node, shapes)` for arrows
  // and circles.
  constructor({ play, draw, turned }) {
    this.play = play;
    this.draw = draw;
    this.turned = turned; // called when it has been turned
    this.game = null;
    this.orientation = "white";
    this.arrows = [];
    this.worth = null; // numbers by square
    this.glimpse = null; // another position that is shown instead
    this.placed = null; // called for squares while a position is set up
    this.asked = null; // what is tried in another way than by playing it
    this.ground = Chessground(byId("board"), {
      animation: { duration: 180 },
      movable: { free: false, showDests: true, rookCastle: true, events: { after: (from, to) => this.made(from, to) } },
      premovable: { enabled: true, castle: true },
      events: { select: (square) => this.placed?.(square) },
      drawable: { enabled: true, brushes: BRUSHES, eraseOnMovablePieceClick: false, onChange: (shapes) => this.drawn(shapes) },
    });
    // Chessground keeps the browser from it: what had the focus would get the keys.
    byId("board").addEventListener("pointerdown", () => document.activeElement.blur());
    new ResizeObserver(() => this.fit()).observe(byId("frame"));
  }

  // Chessground draws a board whose squares are whole pixels; what lies above it must have the same size.
  fit() {
    const pixels = devicePixelRatio;
    const side = (Math.floor((byId("frame").clientWidth * pixels) / 8) * 8) / pixels;
    for (const part of [byId("board"), byId("worth")]) part.style.width = part.style.height = `${side}px`;
    this.ground.redrawAll();
  }

  // Show what the server says about the game.
  show(game) {
    if (game.fen !== this.game?.fen) dropPromotion();
    this.game = game;
    this.refresh();
  }

  // Show another position for a moment, with an arrow for the move that led there; null: the game again.
  glance(position) {
    this.glimpse = position;
    this.refresh();
  }

  point(arrows) {
    this.arrows = arrows;
    if (!this.glimpse && !this.placed && !this.asked) this.ground.setAutoShapes(arrows);
  }

  // Take the moves of a position for answers: pairs of a name and a change; null: they are played again.
  ask(squares, moves, answer) {
    this.asked = squares && { board: placementOf(squares), moves, answer };
    this.refresh();
  }

  // A move that was typed; false if it is to be played.
  typed(text) {
    if (!this.asked) return false;
    const bare = (san) => san.replace(/[+#!?]+$/, "").replaceAll("0", "O");
    const move = this.asked.moves.find(([san]) => bare(san) === bare(text));
    if (move) this.asked.answer(move[0]);
    else toast(`${text} is not a legal move here.`, "error");
    return true;
  }

  // Let a person arrange the pieces; `placed(square)` is called for clicks. Without it the board is the game's.
  edit(placed) {
    this.placed = placed;
    dropPromotion();
    this.ground.set({ draggable: { deleteOnDropOff: Boolean(placed) }, movable: { free: Boolean(placed) } });
    if (!placed) this.refresh();
  }

  // Show pieces by the first part of a FEN, while a position is set up.
  place(placement) {
    this.ground.set({ fen: placement, lastMove: undefined, check: false, movable: { color: "both", dests: new Map() }, drawable: { shapes: [] } });
    this.ground.setAutoShapes([]);
  }

  placement() {
    return this.ground.getFen();
  }

  showWorth(worth) {
    this.worth = worth;
    this.drawWorth();
  }

  get other() {
    return this.orientation === "white" ? "black" : "white";
  }

  turn(orientation) {
    this.orientation = orientation;
    this.ground.set({ orientation });
    byId("bar").classList.toggle("flipped", orientation === "black");
    this.drawWorth();
    this.turned();
  }

  refresh() {
    const { game, glimpse } = this;
    if (!game || this.placed) return;
    tellPosition(game, glimpse);
    if (glimpse) {
      const last = glimpse.squares ? [glimpse.squares.slice(0, 2), glimpse.squares.slice(2, 4)] : undefined;
      this.ground.set({ fen: glimpse.board, lastMove: last, check: false, movable: { color: undefined, dests: new Map() }, drawable: { shapes: [] } });
      this.ground.setAutoShapes(glimpse.arrows ?? []);
    } else {
      this.ground.set({
        fen: game.board,
        turnColor: game.turn,
        check: game.check ? game.turn : false,
        lastMove: game.last ? [game.last.slice(0, 2), game.last.slice(2, 4)] : undefined,
        movable: { color: game.result ? game.turn : (game.person ?? game.turn), dests: this.destinations() },
        drawable: { shapes: game.shapes.map(([brush, squares]) => ({ ...arrow(squares, brush), dest: squares.slice(2) || undefined })) },
      });
      this.ground.setAutoShapes(this.asked ? [] : this.arrows);
      if (game.person === game.turn) this.ground.playPremove();
      else if (!game.waiting || game.at !== game.sans.length) this.ground.cancelPremove();
    }
    this.drawWorth();
  }

  destinations() {
    const { asked, game } = this;
    if (!asked) return new Map(Object.entries(game.moves));
    const dests = new Map();
    for (const [, change] of squaresOf(game.board).join() === squaresOf(asked.board).join() ? asked.moves : []) {
      const from = change.slice(0, 2);
      dests.set(from, [...(dests.get(from) ?? []), change.slice(3, 5)]);
    }
    return dests;
  }

  made(from, to) {
    if (this.placed) return;
    if (this.asked) return this.answered(from, to);
    if (this.game.promotions.includes(from + to)) this.promote(from + to);
    else this.play(from + to, null);
  }

  async answered(from, to) {
    const { moves, answer } = this.asked;
    const found = moves.filter(([, change]) => change.slice(0, 2) === from && change.slice(3, 5) === to);
    const letter = found.length > 1 ? await askPromotion(this.game.turn) : null;
    const move = found.length > 1 ? found.find(([san]) => letter && san.includes(`=${letter.toUpperCase()}`)) : found[0];
    if (move) answer(move[0]);
    else this.refresh();
  }

  // Arrows and circles of the person belong to the game, unless another position is shown.
  drawn(shapes) {
    if (this.game && !this.glimpse && !this.placed) this.draw(this.game.node, shapes.map(({ brush, orig, dest }) => [brush, orig + (dest ?? "")]));
  }

  // Ask what the pawn becomes, and play that.
  async promote(squares) {
    const promotion = await askPromotion(this.game.turn);
    if (promotion) this.play(squares, promotion);
    else this.refresh();
  }

  drawWorth() {
    const overlay = byId("worth");
    overlay.hidden = !this.worth || Boolean(this.glimpse);
    if (overlay.hidden) return;
    const cells = [];
    for (let row = 0; row < 8; row++) {
      for (let column = 0; column < 8; column++) {
        const [x, y] = this.orientation === "white" ? [column, 8 - row] : [7 - column, row + 1];
        const value = this.worth[`${"abcdefgh"[x]}${y}`];
        const cell = make("span", { class: value < 0 ? "bad" : null });
        if (value !== undefined) cell.append(make("b", {}, `${value}`.replace("-", "−")));
        cells.push(cell);
      }
    }
    overlay.replaceChildren(...cells);
  }
}

// An arrow for a move by its squares; a move that stays (castling) is drawn as it is spelled.
export function arrow(squares, brush) {
  return { orig: squares.slice(0, 2), dest: squares.slice(2, 4), brush };
}
