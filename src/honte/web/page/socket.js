// The web socket. It reconnects automatically and resends unanswered requests. Every request carries
// its whole position, so resending one is safe.

import { serverWords } from "./words_errors.js";

const FIRST_WAIT = 200; // milliseconds before the second attempt; doubles up to LONGEST_WAIT
const LONGEST_WAIT = 4000;

// The token is in the cookie now; remove it from the address, which may be seen, saved or shared.
if (new URLSearchParams(location.search).has("token")) {
  history.replaceState(history.state, "", location.pathname + location.hash);
}

export class Socket {
  /** `onState(up, why)` is called when the connection drops, with the server's reason if it gave one,
   *  and when it is back. */
  constructor(onState = () => {}) {
    this.onState = onState;
    this.next = 1;
    this.open = new Map(); // id -> {frame, onPart, resolve, reject}
    this.wait = FIRST_WAIT;
    this.up = false; // whether the server has answered over this connection
    this.why = ""; // the server's reason to close it
    this.connect();
    // Reconnect at once when a laptop wakes up or the network returns.
    addEventListener("online", () => this.reconnectNow());
    document.addEventListener("visibilitychange", () => document.hidden || this.reconnectNow());
  }

  connect() {
    clearTimeout(this.timer);
    this.timer = null;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const line = new WebSocket(`${scheme}://${location.host}/socket`);
    this.line = line;
    this.why = "";
    line.onopen = () => {
      // A full server takes the connection too, to say so. So request something cheap: there is no request 0.
      line.send(JSON.stringify({ id: this.next++, do: "stop", which: 0 }));
      for (const { frame } of this.open.values()) line.send(frame);
    };
    line.onmessage = (event) => this.receive(JSON.parse(event.data));
    line.onclose = () => {
      if (this.line !== line) return;
      this.up = false;
      this.onState(false, this.why);
      this.timer = setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    };
  }

  reconnectNow() {
    if (this.timer) this.connect();
  }

  send(id, frame) {
    if (this.line.readyState === WebSocket.OPEN) this.line.send(frame);
  }

  receive(answer) {
    if (!answer.id) {
      this.why = serverWords(answer.error);
      return;
    }
    if (!this.up) {
      this.up = true;
      this.wait = FIRST_WAIT;
      this.onState(true);
    }
    const asked = this.open.get(answer.id);
    if (!asked) return;
    if (answer.error) {
      this.open.delete(answer.id);
      asked.reject(new Error(serverWords(answer.error)));
    } else if (asked.onPart) {
      asked.onPart(answer);
      if (answer.done) {
        this.open.delete(answer.id);
        asked.resolve(answer);
      }
    } else {
      this.open.delete(answer.id);
      asked.resolve(answer);
    }
  }

  ask(name, fields, onPart) {
    const id = this.next++;
    const frame = JSON.stringify({ id, do: name, ...fields });
    const promise = new Promise((resolve, reject) => {
      this.open.set(id, { frame, onPart, resolve, reject });
      this.send(id, frame);
    });
    return { id, promise };
  }

  /** One request, one answer. */
  request(name, fields = {}) {
    return this.ask(name, fields, null).promise;
  }

  /** A request answered in parts; `done` is the last part. After `stop()` no more parts arrive;
   *  `finish()` requests the last part now. */
  stream(name, fields, onPart = () => {}) {
    const { id, promise } = this.ask(name, fields, onPart);
    const finish = () => {
      if (this.open.has(id)) this.send(id, JSON.stringify({ id: this.next++, do: "stop", which: id }));
    };
    const stop = () => {
      if (!this.open.has(id)) return;
      finish();
      const { resolve } = this.open.get(id);
      this.open.delete(id);
      resolve(null);
    };
    return { done: promise, stop, finish };
  }
}
