// The report: which game, which position, and everything that shows them.

const report = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const state = { game: 0, position: 0, side: null, boards: [] };

const board = new Board(byId("board"), (square) => trying.click(square));
const graph = new Graph(byId("plot"), (position) => goTo(position));
const clocks = new Clocks(byId("clock-plot"), (position) => goTo(position));
const list = new MoveList(byId("moves"), (position) => goTo(position), goAside);
const trying = new Trying((position) => goTo(position), list);

function currentGame() {
  return report.games[state.game];
}

// A game that was left out has no evaluations, nor moves.
function isAnalysed(game) {
  return game.positions.some(Boolean);
}

// Choosing

function chooseGame(number, position) {
  if (number < 0 || number >= report.games.length) return;
  state.game = number;
  const game = currentGame();
  state.boards = boardsOf(game);
  byId("games").selectedIndex = number;
  byId("previous-game").disabled = number === 0;
  byId("next-game").disabled = number === report.games.length - 1;
  byId("title").textContent = game.white + " – " + game.black;
  byId("details").textContent = game.details;
  byId("opening").textContent = game.opening;
  byId("rule").textContent = game.second ? `${report.engines[0]}, dashed ${report.engines[1]}, ${game.rule}` : game.rule;
  list.show(game);
  const marks = game.moves.map((move, ply) => [ply + 1, move.judgement]).filter((mark) => mark[1]);
  const [chances, others] = [game.positions, game.second || []].map((all) => all.map((found) => found?.chance ?? null));
  graph.show(chances, marks, game.phases, others);
  for (const name of ["graph", "accuracy", "critical"]) byId(name).hidden = !isAnalysed(game);
  byId("clocks").hidden = !game.moves.some((move) => move.spent !== undefined);
  byId("clock-note").textContent = clockSummary(game);
  clocks.show(game);
  showPlayers(byId("players"), game);
  showMoments(game);
  showDisputes(game);
  for (const row of byId("all-games").tBodies[0]?.rows || []) {
    row.setAttribute("aria-selected", Number(row.dataset.game) === number);
  }
  goTo(position || 0);
}

function goTo(position) {
  state.side = null;
  state.position = Math.min(Math.max(position, 0), currentGame().moves.length);
  show();
}

function goAside(base, moves, at, button) {
  state.side = { base, moves, at, button };
  state.position = base;
  show();
}

function step(by) {
  const side = state.side;
  if (!side) {
    goTo(state.position + by);
  } else if (side.at + by < 0) {
    goTo(side.base);
  } else if (side.at + by < side.moves.length) {
    side.at += by;
    side.button = neighbour(side, by);
    show();
  }
}

// The button of the next move of a side line stands beside this one, unless comments stand between.
function neighbour(side, by) {
  const buttons = [...(side.button?.parentElement?.querySelectorAll(":scope > button.side") || [])];
  return buttons[buttons.indexOf(side.button) + by] || side.button;
}

function stepCritical(by) {
  const stops = currentGame().critical; // the positions before the moves
  const found = by > 0
    ? stops.find((stop) => stop > state.position)
    : stops.findLast((stop) => stop < state.position);
  if (found !== undefined) goTo(found);
}

// Showing

function show() {
  const game = currentGame(), side = state.side;
  trying.at(game, state.position);
  let squares = state.boards[state.position];
  let last = state.position ? game.moves[state.position - 1].change : "";
  let best = "";
  if (side) {
    for (const [, change] of side.moves.slice(0, side.at + 1)) squares = played(squares, change);
    last = side.moves[side.at][1];
    best = side.moves[side.at + 1]?.[1] || "";
  } else {
    best = trying.hides(state.position) ? "" : parsedLine(game.positions[state.position]?.lines[0]?.moves)[0]?.[1] || "";
  }
  board.show(squares, last, best);
  showMen(squares);
  showBar(trying.on ? null : game.positions[state.position]);
  showNames(game);
  showSaid(game);
  showLines(game);
  graph.move(state.position);
  clocks.move(state.position);
  list.mark(state.position, side?.button);
  byId("first").disabled = byId("back").disabled = !state.position && !side;
  byId("last").disabled = byId("forward").disabled =
    side ? side.at + 1 >= side.moves.length : state.position === game.moves.length;
  clearTimeout(state.timer);
  state.timer = setTimeout(showAddress, 300); // browsers refuse to change it with every key
}

function showAddress() {
  const address = `#${state.game + 1}.${state.position}`;
  if (location.hash !== address) history.replaceState(null, "", address);
}

function showBar(found) {
  byId("bar").classList.toggle("flipped", board.flipped);
  byId("bar").classList.toggle("unknown", !found);
  byId("bar-white").style.height = `${found ? found.chance : 50}%`;
  byId("bar-score").textContent = found ? found.score.replace(/[+-]/, "") : ""; // the colours are the sign
}

// The pieces in words, for those who hear the page.
function showMen(squares) {
  const rows = placementOf(squares);
  byId("white-men").textContent = `White: ${menInWords(rows, true)}.`;
  byId("black-men").textContent = `Black: ${menInWords(rows, false)}.`;
}

function showNames(game) {
  const names = [game.white_label, game.black_label];
  if (!board.flipped) names.reverse();
  byId("top-player").textContent = names[0];
  byId("bottom-player").textContent = names[1];
}

function showSaid(game) {
  const said = byId("said"), side = state.side;
  const move = game.moves[state.position - 1];
  said.className = "";
  if (side) {
    said.textContent = `In a side line: ${moveNumber(game, side.base + side.at)} ${side.moves[side.at][0]}`;
  } else if (!move) {
    said.textContent = isAnalysed(game) ? "The position at the start" : "This game is not analysed.";
  } else {
    const words = [`${moveNumber(game, state.position - 1)} ${move.san}`];
    if (move.loss) words.push(`loses ${move.loss} cp, ${move.chance_loss} % of winning chances.`);
    else if (move.best) words.push("is the best move.");
    else if (move.loss === 0) words.push("loses nothing.");
    if (move.remark) words.push(move.remark);
    words.push(...clockWords(move));
    said.textContent = words.join(" ");
    said.className = move.judgement || "";
  }
  byId("board").setAttribute("aria-label", `Chess board. ${said.textContent}`);
}

function showLines(game) {
  const shown = [];
  [game.positions, game.second].forEach((positions, engine) => {
    const lines = (!state.side && !trying.hides(state.position) && positions?.[state.position]?.lines) || [];
    if (game.second && lines.length) shown.push(element("li", "engine", report.engines[engine]));
    for (const line of lines) {
      const entry = element("li");
      entry.append(element("span", "score", line.score));
      entry.append(...list.lineButtons(state.position, parsedLine(line.moves)));
      shown.push(entry);
    }
  });
  byId("lines").replaceChildren(...shown);
}

function header(table, names) {
  table.createTHead().insertRow().append(...names.map((name) => headCell("col", name)));
}

// An entry that leads to the position before a move.
function moment(game, position, cost, words) {
  const move = game.moves[position];
  const entry = element("li");
  const button = element("button", `moment ${move.judgement || ""}`);
  button.type = "button";
  button.append(element("strong", "", `${moveNumber(game, position)} ${move.san}${GLYPHS[move.judgement] || ""}`));
  button.append(element("span", "cost", cost), element("span", "", words));
  button.addEventListener("click", () => {
    trying.wanted = position;
    goTo(position);
    byId("left").scrollIntoView({ block: "nearest" });
  });
  entry.append(button);
  return entry;
}

function showDisputes(game) {
  byId("disputed").hidden = !game.second;
  if (!game.second) return;
  byId("disputed-note").textContent = `Winning chances that a move loses: ${report.engines.join(" : ")}`;
  const disputes = game.disputed.map(([position, ...losses]) => {
    const best = [game.positions, game.second].map((found) => parsedLine(found[position].lines[0]?.moves)[0]?.[0]);
    const cost = losses.map((loss) => `${loss ? "−" : ""}${loss.toFixed(1)} %`).join(" : ");
    return moment(game, position, cost, `Best: ${best.join(" : ")}`);
  });
  if (!disputes.length) disputes.push(element("li", "none", "On no move by 5 % or more."));
  byId("disputes").replaceChildren(...disputes);
}

function showMoments(game) {
  const moments = game.critical.map((position) => {
    const move = game.moves[position];
    return moment(game, position, `−${move.chance_loss.toFixed(1)} %`, move.remark);
  });
  if (!moments.length) moments.push(element("li", "none", "No mistakes, no blunders."));
  byId("moments").replaceChildren(...moments);
}

function showOverview() {
  if (report.games.length < 2) return;
  byId("chooser").hidden = byId("overview").hidden = false;
  const table = byId("all-games");
  header(table, ["Game", "White", "Black", "Result", "Accuracy", "Mistakes", "Blunders", "Missed mates"]);
  const body = table.createTBody();
  report.games.forEach((game, number) => {
    byId("games").append(new Option(`${number + 1}. ${game.white} – ${game.black}, ${game.result}`, number));
    const row = body.insertRow();
    row.dataset.game = number;
    const both = (key) => game.players.map((player) => cellText(player, key)).join(" : ");
    const cells = [number + 1, game.white, game.black, game.result];
    cells.push(...["accuracy", "mistakes", "blunders", "missed_mates"].map(both));
    cells.forEach((text, column) => {
      const cell = row.insertCell();
      if (column) return cell.append(text);
      const button = element("button", "", text);
      button.type = "button";
      button.setAttribute("aria-label", `Show game ${text}`);
      cell.append(button);
    });
    row.addEventListener("click", () => {
      chooseGame(number);
      scrollTo({ top: 0 });
    });
  });
}

// Beginning

function turnBoard() {
  board.flip();
  show();
}

const KEYS = {
  ArrowLeft: () => step(-1), ArrowRight: () => step(1),
  ArrowUp: () => stepCritical(-1), ArrowDown: () => stepCritical(1),
  Home: () => goTo(0), End: () => goTo(currentGame().moves.length),
  Escape: () => goTo(state.position), f: turnBoard, t: () => trying.begin(),
  n: () => chooseGame(state.game + 1), p: () => chooseGame(state.game - 1),
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.closest("input")) return event.target.blur();
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input")) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

const BUTTONS = {
  first: "Home", back: "ArrowLeft", forward: "ArrowRight", last: "End", flip: "f",
  "previous-critical": "ArrowUp", "next-critical": "ArrowDown", "next-game": "n", "previous-game": "p",
};
for (const [id, key] of Object.entries(BUTTONS)) byId(id).addEventListener("click", KEYS[key]);
byId("games").addEventListener("change", (event) => chooseGame(event.target.selectedIndex));

function open() {
  const [game, position] = location.hash.slice(1).split(".").map(Number);
  const known = game >= 1 && game <= report.games.length;
  chooseGame(known ? game - 1 : 0, known ? position || 0 : 0);
}

showOverview();
open();
addEventListener("hashchange", open);
