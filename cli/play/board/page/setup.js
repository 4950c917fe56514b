// Set up a position: pieces are dragged onto the board and off it, or put there by clicks.

import { byId, make } from "./dom.js";

export const ROLES = ["king", "queen", "rook", "bishop", "knight", "pawn"];
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const EMPTY = "8/8/8/8/8/8/8/8";

export class SetUp {
  // `begin(fen)` asks for a game from that position.
  constructor(board, begin) {
    this.board = board;
    this.begin = begin;
    byId("edit").addEventListener("click", () => this.open());
    byId("edit-done").addEventListener("click", () => this.finish());
    byId("edit-cancel").addEventListener("click", () => this.close());
    byId("edit-empty").addEventListener("click", () => board.place(EMPTY));
    byId("edit-start").addEventListener("click", () => board.place(START));
    for (const colour of ["white", "black"]) {
      const buttons = ROLES.map((role) => this.pieceButton({ role, color: colour }));
      byId(`${colour}-pieces`).append(...buttons);
    }
    byId("edit-remove").addEventListener("click", () => this.take(byId("edit-remove"), undefined));
  }

  // The board is the game's again if that has changed.
  show(game) {
    const changed = game.fen !== this.game?.fen || `${game.sans}` !== `${this.game.sans}`;
    this.game = game;
    if (changed) this.close();
  }

  open() {
    if (!this.game) return;
    const [placement, turn, castling] = this.game.fen.split(" ");
    byId("edit-turn").value = turn;
    for (const box of byId("setup").querySelectorAll("[data-right]")) box.checked = castling.includes(box.dataset.right);
    byId("load").close();
    byId("tab-play").click();
    byId("setup").hidden = false;
    this.board.edit((square) => this.put(square));
    this.board.place(placement);
    this.take(null);
    byId("setup").scrollIntoView({ block: "nearest" });
  }

  close() {
    if (byId("setup").hidden) return;
    byId("setup").hidden = true;
    this.board.edit(null);
  }

  finish() {
    const rights = [...byId("setup").querySelectorAll("[data-right]:checked")].map((box) => box.dataset.right);
    this.begin(`${this.board.placement()} ${byId("edit-turn").value} ${rights.join("") || "-"} - 0 1`);
  }

  pieceButton(piece) {
    const name = `${piece.color} ${piece.role}`;
    const button = make("button", { type: "button", title: name, "aria-label": name, "aria-pressed": "false" }, make("piece", { class: `${piece.role} ${piece.color}` }));
    for (const kind of ["mousedown", "touchstart"]) button.addEventListener(kind, (event) => this.board.ground.dragNewPiece(piece, event, true), { passive: false });
    button.addEventListener("click", () => this.take(button, piece));
    return button;
  }

  // What a click on a square puts there: a piece, undefined to remove one; without a button pieces are moved.
  take(button, piece) {
    const again = button?.getAttribute("aria-pressed") === "true";
    this.tool = button && !again ? { piece } : null;
    for (const other of byId("setup").querySelectorAll("[aria-pressed]")) other.setAttribute("aria-pressed", Boolean(this.tool) && other === button);
  }

  put(square) {
    if (!this.tool) return;
    this.board.ground.setPieces(new Map([[square, this.tool.piece]]));
    queueMicrotask(() => this.board.ground.cancelMove()); // chessground selects the square after this call
  }
}
