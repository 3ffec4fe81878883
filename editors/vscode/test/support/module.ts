// Modules in directories of their own, which are removed at the end.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";

const METADATA = JSON.stringify({ name: "example-web", version: "1.0.0", author: "a", license: "", source: "", dependencies: [] });

/** Writes the module `web` with these files, and returns its directory. */
export function module(files: Record<string, string>): string {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), "puppetfn-vscode-")));
  after(() => rmSync(parent, { recursive: true, force: true }));
  const root = join(parent, "web");
  for (const [path, text] of Object.entries({ "metadata.json": METADATA, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
