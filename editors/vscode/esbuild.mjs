// Bundles the extension into dist/extension.js: one file, which starts faster than the modules and is small.
import { context } from "esbuild";

const production = process.argv.includes("--production");
const bundle = await context({
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  // The editor provides this module.
  external: ["vscode"],
  minify: production,
  sourcemap: production ? false : "linked",
  logLevel: "warning"
});
if (process.argv.includes("--watch")) {
  await bundle.watch();
} else {
  await bundle.rebuild();
  await bundle.dispose();
}
