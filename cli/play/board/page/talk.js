// The conversation with the server: messages both ways, and patience when it is cut off.

const RETRY = [300, 600, 1200, 2500, 5000]; // milliseconds
const PIECE = 128 * 1024; // bytes
const MAX_NAME = 80; // characters

export class Talk {
  constructor() {
    this.listeners = new Map();
    this.failures = 0;
    // A copy of this tab has the same storage, but is loaded by itself.
    this.load = crypto.getRandomValues(new Uint32Array(4)).join("-");
    this.connect();
  }

  // Call `listener` with each message of a kind; besides the server's there are "sent", "unsent" and "lost".
  on(kind, listener) {
    if (!this.listeners.has(kind)) this.listeners.set(kind, []);
    this.listeners.get(kind).push(listener);
  }

  // False if there is nobody to hear it.
  say(wanted, about = {}) {
    if (this.socket.readyState !== WebSocket.OPEN) {
      this.tell("unsent", { wanted });
      return false;
    }
    this.socket.send(JSON.stringify({ do: wanted, ...about }));
    this.tell("sent", { wanted });
    return true;
  }

  // Announce a file by its name and its bytes, and send it in pieces; false if there is nobody to hear it.
  sendFile(name, bytes) {
    if (!this.say("file", { name: name.slice(0, MAX_NAME), size: bytes.byteLength })) return false;
    for (let at = 0; at < bytes.byteLength; at += PIECE) this.socket.send(bytes.slice(at, at + PIECE));
    return true;
  }

  connect() {
    const address = new URL("talk", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.search = new URLSearchParams({ page: sessionStorage.getItem("page") ?? "", load: this.load });
    this.socket = new WebSocket(address);
    this.socket.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => this.lose());
  }

  hear(message) {
    if (message.is === "hello") {
      this.failures = 0;
      sessionStorage.setItem("page", message.page);
    }
    if (message.is === "full") this.failures = Infinity;
    this.tell(message.is, message);
  }

  lose() {
    this.tell("lost", { failures: this.failures });
    if (this.failures === Infinity) return;
    const wait = RETRY[Math.min(this.failures, RETRY.length - 1)];
    this.failures += 1;
    setTimeout(() => this.connect(), wait);
  }

  tell(kind, message) {
    for (const listener of this.listeners.get(kind) ?? []) listener(message);
  }
}
