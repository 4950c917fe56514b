// The board. Squares and pieces were drawn by python-chess, in the colours of the board in the browser; here the
// pieces are put on the squares.

const SIZE = 45; // as python-chess draws them

class Board {
  // `choose(square)` is called for clicks.
  constructor(container, choose) {
    this.container = container;
    container.addEventListener("click", (event) => choose(this.squareAt(event)));
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

  // Mark squares beside the last move's.
  mark(squares) {
    const picture = this.container.firstElementChild;
    for (const old of picture.querySelectorAll(".chosen")) old.remove();
    for (const square of squares) picture.append(this.highlight(square, "chosen"));
  }

  // Show what a move would change, until the position is shown again.
  preview(change) {
    const { squares, last, best } = this;
    this.show(played(squares, change), change, "");
    [this.squares, this.last, this.best] = [squares, last, best];
  }

  squareAt(event) {
    const box = this.container.getBoundingClientRect();
    const [column, row] = [event.clientX - box.left, event.clientY - box.top].map((at) => Math.min(Math.max(Math.floor((8 * at) / box.width), 0), 7));
    const place = this.flipped ? 63 - 8 * row - column : 8 * row + column;
    return `${FILES[place % 8]}${8 - Math.floor(place / 8)}`;
  }

  highlight(square, kind) {
    const [x, y] = this.corner(squareOf(square));
    return svgElement("rect", { x, y, width: SIZE, height: SIZE, class: kind });
  }

  // Names of files below and of ranks on the right, inside the squares.
  drawNames(picture) {
    for (let at = 0; at < 8; at++) {
      const [rank, file] = this.flipped ? [at + 1, FILES[7 - at]] : [8 - at, FILES[at]];
      for (const [text, x, y, anchor] of [[rank, 358.5, SIZE * at + 9, "end"], [file, SIZE * at + 1.5, 357.5, "start"]]) {
        const name = svgElement("text", { x, y, "text-anchor": anchor, class: `name ${at % 2 ? "dark" : "light"}` });
        name.textContent = text;
        picture.append(name);
      }
    }
  }

  draw() {
    const picture = document.getElementById("squares").content.firstElementChild.cloneNode(true);
    this.drawNames(picture);
    for (const square of [this.last.slice(0, 2), this.last.slice(3, 5)].filter(Boolean)) {
      picture.append(this.highlight(square, "last"));
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
    return [SIZE * (place % 8), SIZE * Math.floor(place / 8)];
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
