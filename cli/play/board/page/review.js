// Review: asks for the analysis of the game, shows how far it is, and opens its report, which lies in a frame.

import { byId, toast, write } from "./dom.js";

const PASSED = ["try", "keep"]; // what the report asks of the server

export class Review {
  constructor(talk) {
    this.talk = talk;
    this.state = { state: "none" };
    byId("review").addEventListener("click", () => (this.state.state === "done" ? this.open() : talk.say("review", { on: true })));
    byId("review-stop").addEventListener("click", () => talk.say("review", { on: false }));
    byId("report-close").addEventListener("click", () => this.close());
    const frame = byId("report-frame");
    frame.addEventListener("load", () => this.tell({ is: "board" }));
    addEventListener("message", ({ source, data }) => {
      if (source !== frame.contentWindow || !PASSED.includes(data?.do)) return;
      talk.say(data.do, { ply: data.ply, san: data.san });
    });
    for (const kind of PASSED) talk.on({ try: "tried", keep: "kept" }[kind], (message) => this.tell(message));
    talk.on("review", (message) => this.show(message));
    talk.on("lost", () => (byId("reviewing").hidden = true));
  }

  // A game that goes on is not reviewed.
  game(game) {
    byId("review").disabled = !game.sans.length || (game.person !== null && !game.result);
  }

  show(message) {
    const { state, done, total, number, waiting } = message;
    const finished = state === "done" && this.state.state === "running" && this.state.number === number;
    if (this.state.number !== number) this.close();
    this.state = message;
    byId("reviewing").hidden = state !== "running";
    byId("review").hidden = state === "running";
    byId("review-progress").max = total || 1;
    byId("review-progress").value = done || 0;
    const begun = total ? `${done} of ${total} positions` : "The engine starts …";
    write(byId("review-said"), waiting ? "Waiting for the review of another page …" : begun);
    const words = { none: "Review the game", stopped: `Go on with the review${total ? ` (${done} of ${total})` : ""}`, done: "Open the review" };
    if (words[state]) write(byId("review"), words[state]);
    if (!finished) return;
    if (byId("play").hidden || document.querySelector("dialog[open]")) toast("The review is ready.");
    else this.open();
  }

  open() {
    const query = new URLSearchParams({ page: sessionStorage.getItem("page") ?? "", number: this.state.number });
    byId("report-frame").src = `review?${query}`;
    byId("report").hidden = false;
    document.querySelector("main").inert = true;
    byId("report-close").focus();
  }

  close() {
    if (byId("report").hidden) return;
    byId("report").hidden = true;
    byId("report-frame").removeAttribute("src");
    document.querySelector("main").inert = false;
    byId("review").focus();
  }

  // The frame has an origin of its own, so there is nobody else to hear it.
  tell(message) {
    if (!byId("report").hidden) byId("report-frame").contentWindow.postMessage(message, "*");
  }
}
