// Short tones for moves, captures, checks and the end of a game, made by the browser.

import { byId } from "./dom.js";

const TONES = { move: [[220, 0]], capture: [[160, 0], [220, 0.04]], check: [[520, 0], [660, 0.09]], end: [[392, 0], [330, 0.16], [262, 0.32]] };
const LENGTH = 0.14; // seconds

export class Sound {
  constructor() {
    this.last = null;
  }

  // A move that was just made is heard; one that is looked at again is not.
  show(game) {
    const { last } = this;
    this.last = game;
    const isNew = last && game.at === last.at + 1 && game.sans.length > last.sans.length && game.at === game.sans.length;
    if (!isNew && !(last && game.result && !last.result)) return;
    const san = game.sans.at(-1) ?? "";
    this.play(game.result ? "end" : game.check ? "check" : san.includes("x") ? "capture" : "move");
  }

  play(name) {
    if (!byId("sounds").checked || !navigator.userActivation?.hasBeenActive) return; // browsers forbid it before
    this.context ??= new AudioContext();
    for (const [pitch, after] of TONES[name]) {
      const tone = this.context.createOscillator(), volume = this.context.createGain();
      const from = this.context.currentTime + after;
      tone.type = "triangle";
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.2, from);
      volume.gain.exponentialRampToValueAtTime(0.001, from + LENGTH);
      tone.connect(volume).connect(this.context.destination);
      tone.start(from);
      tone.stop(from + LENGTH);
    }
  }
}
