// Answers requests away from the page, so that code which takes long can be ended with its worker.

import start, { answer, version } from "./puppetfn_playground.js";

const started = start({ module_or_path: "puppetfn_playground_bg.wasm" });

started.then(
  () => postMessage({ version: version() }),
  (error) => postMessage({ failed: `The playground could not be loaded: ${error.message}` }),
);

addEventListener("message", async ({ data: { id, request } }) => {
  await started;
  try {
    postMessage({ id, answer: JSON.parse(answer(JSON.stringify(request))) });
  } catch (error) {
    // The stack or the memory of the browser has ended: the instance cannot be used any more.
    postMessage({ id, broken: error.message });
  }
});
