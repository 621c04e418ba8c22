// The line to the server. It mends itself: when it drops, it dials again, and whatever had not
// been answered is asked again. Every request carries its whole position, so asking twice is safe.

const FIRST_WAIT = 200; // milliseconds before the second attempt; doubles up to LONGEST_WAIT
const LONGEST_WAIT = 4000;

export class Socket {
  /** `onState(up)` hears of every drop and every recovery. */
  constructor(onState = () => {}) {
    this.onState = onState;
    this.next = 1;
    this.open = new Map(); // id -> {frame, onPart, resolve, reject}
    this.wait = FIRST_WAIT;
    this.up = false;
    this.dial();
    // A laptop that wakes or a network that returns should not sit out the wait.
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
  }

  dial() {
    clearTimeout(this.timer);
    this.timer = null;
    const token = new URLSearchParams(location.search).get("token");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = token ? `?token=${encodeURIComponent(token)}` : "";
    const line = new WebSocket(`${scheme}://${location.host}/socket${query}`);
    this.line = line;
    line.onopen = () => {
      this.wait = FIRST_WAIT;
      this.up = true;
      this.onState(true);
      for (const { frame } of this.open.values()) line.send(frame);
    };
    line.onmessage = (event) => this.take(JSON.parse(event.data));
    line.onclose = () => {
      if (this.line !== line) return;
      this.up = false;
      this.onState(false);
      this.timer = setTimeout(() => this.dial(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    };
  }

  hurry() {
    if (this.timer) this.dial();
  }

  send(id, frame) {
    if (this.line.readyState === WebSocket.OPEN) this.line.send(frame);
  }

  take(answer) {
    const asked = this.open.get(answer.id);
    if (!asked) return;
    if (answer.error) {
      this.open.delete(answer.id);
      asked.reject(new Error(answer.error));
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

  /** One question, one answer. */
  request(name, fields = {}) {
    return this.ask(name, fields, null).promise;
  }

  /** A question answered in parts; `done` is the last part. After `stop()` nothing more is heard;
   *  `finish()` asks for the last part now. */
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
