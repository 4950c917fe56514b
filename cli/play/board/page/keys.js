// Keys that work wherever nobody types.

export function listenToKeys(actions) {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input:not([type=checkbox]), textarea, select");
    if (event.key === "Escape") return event.target.blur();
    if (document.querySelector("dialog[open]")) return;
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && event.target.closest("button, summary, input")) return; // it presses that
    const action = actions[event.key];
    if (action && action() !== false) event.preventDefault(); // false: there is nothing to do, so it may scroll
  });
}
