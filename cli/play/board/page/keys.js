// Keys that work wherever nobody types.

export function listenToKeys(actions) {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select");
    if (event.key === "Escape") return event.target.blur();
    if (document.querySelector("dialog[open]")) return;
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && event.target.closest("button")) return; // it presses the button
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
