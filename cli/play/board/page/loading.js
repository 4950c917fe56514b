// Games from files or from the field for PGN: sent to the server, and chosen from a list if there are several.

import { byId, make, toast, write } from "./dom.js";

const MAX_FILE = 16 << 20; // bytes, as the server has it
const MAX_ROWS = 200; // that are shown at once

export class Loading {
  constructor(talk) {
    this.talk = talk;
    this.rows = [];
    byId("set-pgn").addEventListener("submit", (event) => {
      event.preventDefault();
      this.send("the text", new Blob([byId("pgn").value]));
    });
    byId("open-file").addEventListener("click", () => byId("file").click());
    byId("file").addEventListener("change", () => {
      this.open(byId("file").files);
      byId("file").value = ""; // so that the same file may be opened again
    });
    byId("choose-game").addEventListener("click", () => byId("chooser").showModal());
    byId("chooser-search").addEventListener("input", () => this.list());
    byId("chooser-games").addEventListener("click", (event) => {
      const row = event.target.closest("[data-game]");
      if (row) this.choose(Number(row.dataset.game));
    });
    byId("chooser").addEventListener("keydown", (event) => this.step(event));
    document.addEventListener("dragover", (event) => this.hover(event, true));
    document.addEventListener("dragleave", (event) => event.relatedTarget ?? this.hover(event, false));
    document.addEventListener("drop", (event) => {
      if (!this.hover(event, false)) return;
      this.open(event.dataTransfer.files);
    });
    talk.on("hello", () => this.show({ name: "", rows: [] })); // what the server does not know any more
    talk.on("games", (message) => this.show(message));
    for (const kind of ["games", "loaded"]) talk.on(kind, () => this.reading?.remove());
  }

  // True if files are dragged; then the page takes them, instead of the browser.
  hover(event, on) {
    if (!event.dataTransfer?.types.includes("Files")) return false;
    event.preventDefault();
    document.body.classList.toggle("dropping", on);
    return true;
  }

  open(files) {
    if (files.length > 1) return toast("One file at a time, please.", "error");
    if (files.length) this.send(files[0].name, files[0]);
  }

  async send(name, content) {
    if (content.size > MAX_FILE) return toast(`${name} is larger than ${MAX_FILE >> 20} MB.`, "error");
    let bytes;
    try {
      bytes = await content.arrayBuffer();
    } catch {
      return toast(`${name} cannot be read; is it a folder?`, "error");
    }
    if (!bytes.byteLength) return toast(`There is nothing in ${name}.`, "error");
    if (this.talk.sendFile(name, bytes)) this.reading = toast("Reading …");
  }

  // The games of a file; a new one with several opens the list.
  show({ name, rows, new: isNew }) {
    this.rows = rows.map((cells, index) => ({ number: index + 1, cells, words: cells.join(" ").toLowerCase() }));
    const several = rows.length > 1;
    byId("choose-game").hidden = !several;
    write(byId("choose-game"), `Games of ${name}`);
    write(byId("chooser-title"), `${rows.length.toLocaleString("en")} games in ${name}`);
    byId("chooser-search").value = "";
    this.list();
    if (several && isNew) byId("chooser").showModal();
    if (!several) byId("chooser").close();
  }

  list() {
    const words = byId("chooser-search").value.toLowerCase().split(/\s+/);
    const found = this.rows.filter((row) => words.every((word) => row.words.includes(word)));
    const many = found.length > MAX_ROWS ? `, the first ${MAX_ROWS} are shown` : "";
    write(byId("chooser-count"), `${found.length.toLocaleString("en")} found${many}`);
    byId("chooser-games").replaceChildren(...found.slice(0, MAX_ROWS).map(({ number, cells }) => {
      const [players, ...rest] = cells;
      const open = make("button", { type: "button" }, players);
      const others = rest.map((cell) => make("td", {}, cell.replace(/^[?.]+$/, "").replace("1/2-1/2", "½–½")));
      return make("tr", { "data-game": number }, make("td", {}, `${number}`), make("td", {}, open), ...others);
    }));
  }

  choose(number) {
    byId("chooser").close();
    this.talk.say("choose", { number });
  }

  // Arrows go through the list; Enter in the search field takes the first game.
  step(event) {
    const buttons = [...byId("chooser-games").querySelectorAll("button")];
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const at = buttons.indexOf(document.activeElement);
    if (by) (buttons[at + by] ?? byId("chooser-search")).focus();
    else if (event.key === "Enter" && at < 0 && event.target === byId("chooser-search")) buttons[0]?.click();
    else return;
    event.preventDefault();
  }
}
