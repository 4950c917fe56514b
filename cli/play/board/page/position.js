// What the board shows, in words: for screen readers, which see nothing of the board itself.

import { byId, write } from "./dom.js";
import { menInWords, moveInWords } from "./words.js";

// Bring the words up to date; `glimpse` is a position that the board shows instead of the game's, or null.
export function tellPosition(game, glimpse) {
  const board = glimpse?.board ?? game.board;
  write(byId("white-men"), `White: ${menInWords(board, true)}.`);
  write(byId("black-men"), `Black: ${menInWords(board, false)}.`);
  write(byId("to-move"), glimpse ? "This is a position that is looked at, not the one of the game." : state(game));
  write(byId("last-move"), lastMove(game)); // which is read out whenever it changes
}

function state(game) {
  if (game.result && game.at === game.sans.length) return `The game is over: ${game.result}, ${game.reason}.`;
  return `${game.turn === "white" ? "White" : "Black"} to move${game.check ? ", in check" : ""}.`;
}

function lastMove(game) {
  if (!game.at) return "No move has been made.";
  const half = game.first + game.at - 1;
  const mover = half % 2 ? "Black" : "White";
  return `Move ${Math.floor(half / 2) + 1}, ${mover}: ${moveInWords(game.sans[game.at - 1])}.`;
}
