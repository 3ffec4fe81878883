// Asks the worker, one request at a time, and starts another worker when one takes too long or breaks.

/** Milliseconds that a request may take. */
const LONGEST = 5000;

const failed = (message) => ({ output: null, format: "text", problems: [{ severity: "error", message }], log: [] });

export class Runner {
  /** @param {(version: string) => void} loaded called with the version when a worker is ready */
  constructor(loaded) {
    this.loaded = loaded;
    this.last = 0;
    this.start();
  }

  start() {
    this.worker?.terminate();
    this.worker = new Worker("worker.js", { type: "module" });
    this.ready = new Promise((resolve) => {
      this.worker.addEventListener("message", ({ data: { version, failed } }) => {
        if (version) this.loaded(version);
        if (version || failed) resolve(failed);
      });
    });
    this.queue = Promise.resolve();
  }

  /** Returns the answer to a request; nothing if another one was asked meanwhile. */
  ask(request) {
    const id = ++this.last;
    this.queue = this.queue.then(async () => {
      const unavailable = await this.ready;
      if (id !== this.last) return undefined;
      if (unavailable) return failed(unavailable);
      const answer = await this.answered(id, request);
      return id === this.last ? answer : undefined;
    });
    return this.queue;
  }

  answered(id, request) {
    const worker = this.worker;
    return new Promise((resolve) => {
      const done = (answer) => {
        clearTimeout(timer);
        worker.removeEventListener("message", receive);
        resolve(answer);
      };
      const again = (message) => {
        this.start();
        done(failed(message));
      };
      const receive = ({ data }) => {
        if (data.id !== id) return;
        if (data.broken) again(`The code needs more memory or a deeper stack than the browser has: ${data.broken}`);
        else done(data.answer);
      };
      const timer = setTimeout(() => again(`The code was ended after ${LONGEST / 1000} seconds`), LONGEST);
      worker.addEventListener("message", receive);
      worker.postMessage({ id, request });
    });
  }
}
