// The board. Squares and pieces were drawn by python-chess; here the pieces are put on the squares.
// A position is an array of 64 letters from a8 to h1, "." for an empty square. What a move changes is
// written as a text of three letters for each square, for example "e2.e4P"; the origin comes first.

const SVG = "http://www.w3.org/2000/svg";
const FILES = "abcdefgh";
const EDGE = 15, SIZE = 45; // as python-chess draws them

function squareOf(name) {
  return (8 - Number(name[1])) * 8 + FILES.indexOf(name[0]);
}

function squaresOf(placement) {
  const spread = placement.replaceAll("/", "").replace(/\d/g, (digit) => ".".repeat(Number(digit)));
  return [...spread];
}

function played(squares, change) {
  const after = [...squares];
  for (let i = 0; i < change.length; i += 3) {
    after[squareOf(change.slice(i, i + 2))] = change[i + 2];
  }
  return after;
}

function svgElement(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

class Board {
  constructor(container) {
    this.container = container;
    this.flipped = false;
    this.squares = [];
    this.last = "";
    this.best = "";
  }

  // Draw a position, with the change that led to it and the change that the best move would make.
  show(squares, last, best) {
    this.squares = squares;
    this.last = last;
    this.best = best;
    this.draw();
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  draw() {
    const side = document.getElementById(this.flipped ? "black-side" : "white-side");
    const picture = side.content.firstElementChild.cloneNode(true);
    for (const square of [this.last.slice(0, 2), this.last.slice(3, 5)].filter(Boolean)) {
      const [x, y] = this.corner(squareOf(square));
      picture.append(svgElement("rect", { x, y, width: SIZE, height: SIZE, class: "last" }));
    }
    this.squares.forEach((letter, square) => {
      if (letter === ".") return;
      const colour = letter === letter.toUpperCase() ? "white" : "black";
      const [x, y] = this.corner(square);
      const href = `#${colour}-${NAMES[letter.toLowerCase()]}`;
      picture.append(svgElement("use", { href, transform: `translate(${x}, ${y})` }));
    });
    if (this.best) picture.append(this.arrow(this.best.slice(0, 2), this.best.slice(3, 5)));
    this.container.replaceChildren(picture);
    this.container.dataset.squares = this.squares.join("");
  }

  corner(square) {
    const place = this.flipped ? 63 - square : square;
    return [EDGE + SIZE * (place % 8), EDGE + SIZE * Math.floor(place / 8)];
  }

  arrow(from, to) {
    const [x1, y1] = this.corner(squareOf(from)).map((value) => value + SIZE / 2);
    const [x2, y2] = this.corner(squareOf(to)).map((value) => value + SIZE / 2);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [hx, hy] = [x2 - 14 * ux, y2 - 14 * uy];
    const group = svgElement("g", { class: "arrow" });
    group.append(svgElement("line", { x1, y1, x2: hx, y2: hy }));
    const points = [[x2, y2], [hx - 8 * uy, hy + 8 * ux], [hx + 8 * uy, hy - 8 * ux]];
    group.append(svgElement("polygon", { points: points.map((point) => point.join(",")).join(" ") }));
    return group;
  }
}
