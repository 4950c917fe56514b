// The time of each move, White's upwards and Black's downwards, under the graph and on the same scale.

class Clocks {
  constructor(container, choose) {
    this.container = container;
    this.game = null;
    this.at = 0;
    new ResizeObserver(() => this.draw()).observe(container);
    container.addEventListener("click", (event) => {
      const box = container.getBoundingClientRect();
      const part = (event.clientX - box.left) / Math.max(box.width, 1);
      choose(Math.round(Math.min(Math.max(part, 0), 1) * this.game.moves.length));
    });
  }

  show(game) {
    this.game = game;
    this.draw();
  }

  x(position) {
    return (position / Math.max(this.game.moves.length, 1)) * this.width;
  }

  move(position) {
    this.at = position;
    const line = this.container.querySelector(".here");
    if (!line) return;
    line.setAttribute("x1", this.x(position));
    line.setAttribute("x2", this.x(position));
  }

  draw() {
    this.width = this.container.clientWidth;
    this.height = this.container.clientHeight;
    if (!this.game || !this.width || !this.height) return;
    const { moves } = this.game;
    const picture = svgElement("svg", {
      width: this.width, height: this.height, role: "img", "aria-label": `Time per move. ${clockSummary(this.game)}`,
    });
    const middle = this.height / 2;
    // By the root, so that a long think leaves the other moves visible.
    const longest = Math.sqrt(Math.max(...moves.map((move) => move.spent || 0), 1));
    const wide = Math.max(this.width / Math.max(moves.length, 1) - 1, 1);
    moves.forEach((move, ply) => {
      if (move.spent === undefined) return;
      const height = Math.max((Math.sqrt(move.spent) / longest) * (middle - 2), 1);
      const white = isWhite(this.game, ply);
      const bar = svgElement("rect", {
        x: this.x(ply + 1) - wide, y: white ? middle - height : middle, width: wide, height,
        class: move.trouble ? "trouble" : white ? "white" : "black",
      });
      const title = svgElement("title", {});
      title.textContent = `${moveNumber(this.game, ply)} ${move.san}: ${clockWords(move).join(" ")}`;
      bar.append(title);
      picture.append(bar);
    });
    picture.append(svgElement("line", { x1: 0, y1: middle, x2: this.width, y2: middle, class: "middle" }));
    picture.append(svgElement("line", { x1: 0, y1: 0, x2: 0, y2: this.height, class: "here" }));
    this.container.replaceChildren(picture);
    this.move(this.at);
  }
}

function secondsText(seconds) {
  if (seconds < 60) return `${seconds} s`;
  const whole = Math.round(seconds), minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// Time and clock of a move as sentences.
function clockWords(move) {
  const words = [];
  if (move.spent !== undefined) words.push(`Took ${secondsText(move.spent)}.`);
  if (move.clock) words.push(`${move.clock} left.`);
  if (move.trouble) words.push("In time trouble.");
  return words;
}

// What the bars show, for people who read it.
function clockSummary(game) {
  const said = [true, false].map((white) => {
    const own = game.moves.map((move, ply) => [move, ply]).filter(([, ply]) => isWhite(game, ply) === white);
    const timed = own.filter(([move]) => move.spent !== undefined);
    const name = white ? "White" : "Black";
    if (!timed.length) return "";
    const longest = timed.reduce((best, one) => (one[0].spent > best[0].spent ? one : best));
    const trouble = own.filter(([move]) => move.trouble);
    const words = `${name}: longest ${secondsText(longest[0].spent)} for ${moveNumber(game, longest[1])} ${longest[0].san}`;
    if (!trouble.length) return `${words}, no time trouble.`;
    return `${words}, ${trouble.length} move${trouble.length > 1 ? "s" : ""} in time trouble (red) from ${moveNumber(game, trouble[0][1])} ${trouble[0][0].san}.`;
  });
  return said.filter(Boolean).join(" ");
}
