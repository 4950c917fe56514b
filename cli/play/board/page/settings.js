// Dialogs that buttons open, and settings that the browser keeps: colours, pieces, sounds, nothing but the board.

import { byId } from "./dom.js";

const KEPT = ["colours", "pieces", "sounds", "focus"];

export function openDialog(name) {
  byId(name).showModal();
}

export function listenToSettings() {
  for (const button of document.querySelectorAll("[data-opens]")) button.addEventListener("click", () => openDialog(button.dataset.opens));
  for (const button of document.querySelectorAll("[data-closes]")) button.addEventListener("click", () => button.closest("dialog").close());
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside it
    dialog.addEventListener("close", () => byId("right").append(byId("toasts")));
  }
  for (const name of KEPT) {
    const field = byId(name), what = field.type === "checkbox" ? "checked" : "value";
    const kept = localStorage.getItem(name);
    if (kept !== null) field[what] = JSON.parse(kept);
    field.addEventListener("change", () => {
      localStorage.setItem(name, JSON.stringify(field[what]));
      apply();
    });
  }
  apply();
}

// Nothing but board, clocks and moves, or everything again.
export function toggleFocus() {
  byId("focus").click();
}

function apply() {
  byId("board").dataset.colours = byId("colours").value;
  document.body.dataset.pieces = byId("pieces").value;
  document.body.classList.toggle("focus", byId("focus").checked);
}
