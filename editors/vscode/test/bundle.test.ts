// The bundle loads, with its language client: nothing of it is missing at run time.

import assert from "node:assert/strict";
import Module from "node:module";
import { resolve } from "node:path";
import { test } from "node:test";

test("the bundle exports the functions that the editor calls", () => {
  // Any class and namespace of the editor's module; the language client derives classes from some at once.
  const anything: object = new Proxy(class {}, { get: (target, name) => (name === "prototype" ? target.prototype : anything) });
  const modules = Module as unknown as { _load: (request: string, ...rest: unknown[]) => unknown };
  const load = modules._load;
  modules._load = (request, ...rest) => (request === "vscode" ? Object.create(anything) : load(request, ...rest));
  try {
    const bundle = require(resolve("out/extension.cjs")) as Record<string, unknown>;
    assert.deepEqual([typeof bundle.activate, typeof bundle.deactivate], ["function", "function"]);
  } finally {
    modules._load = load;
  }
});
