// Positions and what moves change of them, in the words of a report; its page has these functions too.
// A position is an array of 64 letters from a8 to h1, "." for an empty square. What a move changes is
// written as a text of three letters for each square, for example "e2.e4P"; the origin comes first.

const SVG = "http://www.w3.org/2000/svg";
const FILES = "abcdefgh";

export const GLYPHS = { inaccuracy: "?!", mistake: "?", blunder: "??", great: "!", brilliant: "!!" };

export function squareOf(name) {
  return (8 - Number(name[1])) * 8 + FILES.indexOf(name[0]);
}

export function squaresOf(placement) {
  const spread = placement.replaceAll("/", "").replace(/\d/g, (digit) => ".".repeat(Number(digit)));
  return [...spread];
}

// The first part of a FEN; empty squares are ones, as chess programs read them too.
export function placementOf(squares) {
  return squares.join("").replaceAll(".", "1").match(/.{8}/g).join("/");
}

export function played(squares, change) {
  const after = [...squares];
  for (let i = 0; i < change.length; i += 3) {
    after[squareOf(change.slice(i, i + 2))] = change[i + 2];
  }
  return after;
}

// All positions of a game, from the first one on.
export function boardsOf(game) {
  const boards = [squaresOf(game.placement)];
  for (const move of game.moves) boards.push(played(boards.at(-1), move.change));
  return boards;
}

// "Nf3 g1.f3N,Nc6 b8.c6n" as pairs of a name and a change.
export function parsedLine(text) {
  return text ? text.split(",").map((move) => move.split(" ")) : [];
}

export function svgElement(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
