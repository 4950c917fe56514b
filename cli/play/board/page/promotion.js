// Asks which piece a pawn becomes.

import { byId, make } from "./dom.js";

const CHOICES = [["q", "queen"], ["r", "rook"], ["b", "bishop"], ["n", "knight"]];

let end = null; // of the question that is open

// The question has no sense any more.
export function dropPromotion() {
  end?.(null);
}

// The letter of the piece that is chosen; null if the person thinks better of it.
export function askPromotion(colour) {
  dropPromotion();
  const dialog = byId("promotion");
  const before = document.activeElement;
  return new Promise((resolve) => {
    end = (letter) => {
      end = null;
      dialog.hidden = true;
      dialog.replaceChildren();
      document.removeEventListener("keydown", keys, true);
      before?.focus({ preventScroll: true });
      resolve(letter);
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
    const keys = (event) => {
      event.stopPropagation();
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const step = { Tab: event.shiftKey ? -1 : 1, ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const letter = event.key.toLowerCase();
      if (step) buttons.at((buttons.indexOf(document.activeElement) + step) % buttons.length).focus();
      else if (event.key === "Escape") end(null);
      else if (CHOICES.some(([known]) => known === letter)) end(letter);
      else return; // Enter presses the button
      event.preventDefault();
    };
    dialog.replaceChildren(...buttons);
    dialog.classList.add("cg-wrap");
    dialog.onclick = () => end(null);
    dialog.hidden = false;
    document.addEventListener("keydown", keys, true);
    buttons[0].focus();
  });
}
