// The table of both players' accuracy, on the board and in a report.

const COLUMNS = [
  ["accuracy", "Accuracy"], ["average_centipawn_loss", "Average loss, cp"], ["inaccuracies", "Inaccuracies"],
  ["mistakes", "Mistakes"], ["blunders", "Blunders"], ["missed_mates", "Missed mates"], ["played_like", "Played like"],
];

export function cellText(player, key) {
  const value = player?.[key];
  if (value === null || value === undefined) return "–";
  if (key === "accuracy") return `${value.toFixed(1)} %`;
  return key === "average_centipawn_loss" ? value.toFixed(1) : String(value);
}

// A cell that names a row or a column.
export function headCell(scope, text) {
  const cell = document.createElement("th");
  cell.scope = scope;
  cell.textContent = text;
  return cell;
}

export function showPlayers(table, game) {
  table.replaceChildren();
  table.createTHead().insertRow().append(...["Player", "White", "Black"].map((name) => headCell("col", name)));
  const body = table.createTBody();
  const add = (title, texts, key) => {
    const row = body.insertRow();
    row.append(headCell("row", title));
    for (const text of texts) {
      const cell = row.insertCell();
      cell.className = key;
      cell.textContent = text;
    }
  };
  for (const [key, name] of COLUMNS) add(name, game.players.map((player) => cellText(player, key)), key);
  for (const { name, accuracy } of game.phases) {
    add(`Accuracy, ${name.toLowerCase()}`, accuracy.map((value) => cellText({ accuracy: value }, "accuracy")), "accuracy");
  }
}
