// package.json and the schema of puppetfn.toml, against the source and the command.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { command } from "./support/command";

interface Manifest {
  readonly contributes: {
    readonly configuration: { readonly properties: Record<string, unknown> }[];
    readonly [key: string]: unknown;
  };
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(`src/${name}`, "utf8"))
  .join("\n");

test("each setting is read", () => {
  const names = manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
  assert.ok(names.length > 15);
  // The language client reads the setting of the trace.
  const own = names.map((name) => name.replace("puppetfn.", "")).filter((name) => name !== "trace.server");
  assert.deepEqual(
    own.filter((name) => !sources.includes(`"${name}"`) && !new RegExp(`^  ${name}: \\[`, "m").test(sources)),
    []
  );
});

test("each file exists", () => {
  const paths = JSON.stringify(manifest).match(/"(?:\.\/|images\/|walkthrough\/)[\w./-]+"/g) ?? [];
  assert.ok(paths.length > 10);
  const missing = paths.map((path) => path.slice(1, -1)).filter((path) => !path.startsWith("./dist/") && !existsSync(path));
  assert.deepEqual(missing, []);
});

test("the schema of puppetfn.toml has the rules of the command", async () => {
  const { stdout } = await command(["check", "--list"], process.cwd());
  const rules = stdout.split("\n").flatMap((line) => /^[\w-]+/.exec(line)?.[0] ?? []);
  const schema = JSON.parse(readFileSync("schemas/puppetfn.schema.json", "utf8")) as { properties: { rules: { properties: object } } };
  assert.deepEqual(Object.keys(schema.properties.rules.properties).sort(), rules.sort());
});
