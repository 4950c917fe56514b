// Small helpers for the page itself.

export const byId = (id) => document.getElementById(id);

// An element with attributes and children; what is null or false is left out.
export function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function makeSvg(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

// Change the text of an element; what stays the same is not read out again.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

// Centipawns in White's view, or a mate, as people write them.
export function scoreText(cp, mate) {
  if (mate !== null && mate !== undefined) return `#${minus(mate)}`;
  return pawns(cp);
}

export function pawns(centipawns) {
  const value = (centipawns / 100).toFixed(2);
  return centipawns > 0 ? `+${value}` : minus(value);
}

export const minus = (text) => `${text}`.replace("-", "−");

const SCALES = [[1e9, "G"], [1e6, "M"], [1e3, "k"]];

// 1234567 as 1.23 M.
export function many(number) {
  for (const [scale, unit] of SCALES) {
    if (number >= scale) return `${(number / scale).toPrecision(3)} ${unit}`;
  }
  return `${number}`;
}

// A few words at the bottom of the page, until there are others; an error until the person does something.
export function toast(text, kind = "word") {
  (document.querySelector("dialog[open]") ?? byId("right")).append(byId("toasts")); // what lies behind a dialog is not heard
  const shown = make("p", { class: kind, role: kind === "error" ? "alert" : null }, text);
  for (const other of [...byId("toasts").children]) if (kind === "error" || !other.matches(".error")) other.remove();
  byId("toasts").append(shown);
  if (kind !== "error") setTimeout(() => shown.remove(), 4000);
  return shown;
}

// The person does something new: words about what was before go.
export function clearToasts() {
  byId("toasts").replaceChildren();
}
