// Bundles the tests, with a small fake in place of the module of the editor, and runs them: npm test [-- FILTER]
import { spawnSync } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { build } from "esbuild";

const filter = process.argv[2] ?? "";
const files = (await readdir("test")).filter((name) => name.endsWith(".test.ts") && name.includes(filter));
if (files.length === 0) {
  console.error(`no test has '${filter}' in its name`);
  process.exit(1);
}
await rm("out", { recursive: true, force: true });
await build({
  entryPoints: files.map((name) => `test/${name}`),
  outdir: "out",
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  alias: { vscode: resolve("test/fake/vscode.ts") },
  // It reads a file beside it.
  external: ["vscode-oniguruma"],
  sourcemap: "inline",
  logLevel: "warning"
});
// The extension itself, as the editor loads it: bundle.test.ts.
await build({
  entryPoints: ["src/extension.ts"],
  outfile: "out/extension.cjs",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  logLevel: "warning"
});
const bundles = files.map((name) => `out/${basename(name, ".ts")}.cjs`);
const { status } = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...bundles], { stdio: "inherit" });
process.exit(status ?? 1);
