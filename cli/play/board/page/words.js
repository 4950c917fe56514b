// A position and a move in words, for those who hear the page.

export const NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const MOVE = /^([KQRBN])?([a-h]?[1-8]?)(x)?([a-h][1-8])(?:=([QRBN]))?([+#])?$/;
const ENDS = { "+": ", check", "#": ", checkmate" };

// What a side has and where, from the first part of a FEN: "king on e1; rooks on a1 and h1".
export function menInWords(placement, white) {
  const found = new Map(Object.keys(NAMES).map((letter) => [letter, []]));
  placement.split("/").forEach((row, index) => {
    let column = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) {
        column += Number(letter);
        continue;
      }
      const kind = letter.toLowerCase();
      if ((letter !== kind) === white) found.get(kind).push(`${"abcdefgh"[column]}${8 - index}`);
      column += 1;
    }
  });
  const kinds = [...found].filter(([, squares]) => squares.length);
  return kinds.map(([kind, squares]) => `${NAMES[kind]}${squares.length > 1 ? "s" : ""} on ${list(squares.sort())}`).join("; ");
}

// A move in SAN: "Nbxd2+" is "knight b takes on d2, check".
export function moveInWords(san) {
  const ends = ENDS[san.at(-1)] ?? "";
  if (san.startsWith("O-O-O")) return `castles on the queen's side${ends}`;
  if (san.startsWith("O-O")) return `castles on the king's side${ends}`;
  const [, kind, from, takes, square, becomes] = san.match(MOVE);
  const man = [NAMES[(kind ?? "P").toLowerCase()], from].filter(Boolean).join(" ");
  const promotion = becomes ? `, becomes a ${NAMES[becomes.toLowerCase()]}` : "";
  return `${man} ${takes ? "takes on" : "to"} ${square}${promotion}${ends}`;
}

function list(words) {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0];
}
