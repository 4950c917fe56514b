// Asks which piece a pawn becomes.

import { byId, make } from "./dom.js";

const CHOICES = [["q", "queen"], ["r", "rook"], ["b", "bishop"], ["n", "knight"]];

// The letter of the piece that is chosen; null if the person thinks better of it.
export function askPromotion(colour) {
  const dialog = byId("promotion");
  return new Promise((resolve) => {
    const end = (letter) => {
      dialog.hidden = true;
      dialog.replaceChildren();
      document.removeEventListener("keydown", keys, true);
      resolve(letter);
    };
    const keys = (event) => {
      const letter = event.key === "Escape" ? null : event.key.toLowerCase();
      if (letter !== null && !CHOICES.some(([known]) => known === letter)) return;
      event.preventDefault();
      event.stopPropagation();
      end(letter);
    };
    const buttons = CHOICES.map(([letter, role]) => {
      const button = make("button", { type: "button", title: role, "aria-label": role, "data-piece": letter });
      button.append(make("piece", { class: `${role} ${colour}` }));
      button.addEventListener("click", (event) => {
        event.stopPropagation();
        end(letter);
      });
      return button;
    });
    dialog.replaceChildren(...buttons);
    dialog.classList.add("cg-wrap");
    dialog.onclick = () => end(null);
    dialog.hidden = false;
    document.addEventListener("keydown", keys, true);
    buttons[0].focus();
  });
}
