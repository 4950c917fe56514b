// Keys that work wherever nobody types, and what has the focus.

import { byId } from "./dom.js";

export function listenToKeys(actions) {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input:not([type=checkbox]), textarea, select");
    if (event.key === "Escape") return event.target.blur();
    if (document.querySelector("dialog[open]")) return;
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    // It presses that; but a move has the focus for no other reason than that it was looked at.
    if (event.key === " " && event.target.closest("button:not(#moves *), summary, input")) return;
    const action = actions[event.key];
    if (action && action() !== false) event.preventDefault(); // false: there is nothing to do, so it may scroll
  });
}

// What hides or is disabled while it has the focus hands it on: to what its data-then names, or to the moves.
export function keepFocus() {
  let held = null; // what had the focus last and was not left
  const takes = (element) => element && !element.disabled && element.checkVisibility();
  document.addEventListener("focusin", ({ target }) => (held = target));
  document.addEventListener("focusout", ({ target }) => takes(target) && (held = null)); // else the browser took it away
  new MutationObserver(() => {
    if (!held || takes(held)) return;
    const named = byId(held.dataset.then);
    const move = byId("moves").querySelector('[tabindex="0"]') ?? byId("moves");
    held = null;
    (takes(named) ? named : move).focus({ preventScroll: true });
  }).observe(document.body, { attributes: true, subtree: true, attributeFilter: ["hidden", "disabled"] });
}
