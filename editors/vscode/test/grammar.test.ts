// The grammars, by snapshots of the scopes of each token: `UPDATE_SNAPSHOTS=1 npm test -- grammar` writes them again.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { test } from "node:test";
import { loadWASM, OnigScanner, OnigString } from "vscode-oniguruma";
import { INITIAL, parseRawGrammar, Registry, type StateStack } from "vscode-textmate";

const FILES = resolve("test/grammar");
const SYNTAXES: Record<string, string> = { "source.puppet": "puppet", "text.epp": "epp" };
/** Where Debian's packages of modules have their files. */
const MODULES = process.env.PUPPET_MODULES ?? "/usr/share/puppet/modules";

/** Manifests and templates of Debian's packages, which differ in style. */
const MANIFESTS = [
  "apt/manifests/source.pp",
  "neutron/manifests/plugins/ovs/opendaylight.pp",
  "ntp/templates/ntp.conf.epp",
  "ssh/manifests/init.pp",
  "stdlib/functions/ensure.pp",
  "stdlib/types/absolutepath.pp"
];

const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
const onigLib = loadWASM(wasm).then(() => ({
  createOnigScanner: (patterns: string[]) => new OnigScanner(patterns),
  createOnigString: (text: string) => new OnigString(text)
}));
const registry = new Registry({
  onigLib,
  loadGrammar: async (scope) => {
    const path = `syntaxes/${SYNTAXES[scope]}.tmLanguage.json`;
    return parseRawGrammar(readFileSync(path, "utf8"), path);
  }
});

interface Token {
  readonly text: string;
  readonly scope: string;
}

async function tokens(file: string): Promise<Token[][]> {
  const grammar = await registry.loadGrammar(file.endsWith(".epp") ? "text.epp" : "source.puppet");
  assert.ok(grammar);
  let state: StateStack = INITIAL;
  return readFileSync(file, "utf8")
    .split(/\r?\n/)
    .map((line) => {
      const result = grammar.tokenizeLine(line, state);
      state = result.ruleStack;
      return result.tokens.map((token) => ({
        text: line.slice(token.startIndex, token.endIndex),
        scope: token.scopes
          .slice(1)
          .join(" ")
          .replaceAll(/\.puppet\b/g, "")
      }));
    });
}

function snapshot(lines: Token[][]): string {
  const shown = lines.map((line) => {
    const source = line.map((token) => token.text).join("");
    const visible = line.filter((token) => token.text.trim() !== "" && token.scope !== "");
    return [`> ${source}`.trimEnd(), ...visible.map((token) => `  ${token.text.trim()}  ${token.scope}`)].join("\n");
  });
  return `${shown.join("\n")}\n`;
}

/** The scopes with the lengths of their texts: the repository has no code of other modules. */
function scopesOnly(lines: Token[][]): string {
  const shown = lines.map((line, at) => {
    const scopes = line.filter((token) => token.text.trim() !== "").map((token) => `${token.text.length} ${token.scope || "-"}`);
    return [`line ${at + 1}`, ...scopes].join("\n  ");
  });
  return `${shown.join("\n")}\n`;
}

function testSnapshot(name: string, file: string, show: (lines: Token[][]) => string, skip: string | false): void {
  test(`scopes of ${name}`, { skip }, async () => {
    const expected = join(FILES, `${name.replaceAll("/", "-")}.snap`);
    const actual = show(await tokens(file));
    if (process.env.UPDATE_SNAPSHOTS) {
      writeFileSync(expected, actual);
    }
    assert.equal(actual, readFileSync(expected, "utf8"));
  });
}

const noModules = !existsSync(MODULES) && "Debian's packages of modules are not installed";
for (const name of readdirSync(FILES).filter((one) => /\.e?pp$/.test(one))) {
  testSnapshot(name, join(FILES, name), snapshot, false);
}
for (const name of MANIFESTS) {
  testSnapshot(name, join(MODULES, name), scopesOnly, noModules);
}

function manifests(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.e?pp$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

// A string, comment or heredoc whose end is not found would swallow the rest of a file.
test("manifests of Debian's modules end outside of strings", { skip: noModules }, async () => {
  const files = readdirSync(MODULES).flatMap((module) => {
    const directories = ["manifests", "functions", "types", "templates"].map((one) => join(MODULES, module, one));
    return directories.filter((one) => existsSync(one)).flatMap(manifests);
  });
  assert.ok(files.length > 100, `${files.length} files`);
  for (const file of files) {
    const last = (await tokens(file)).findLast((line) => line.some((token) => token.text.trim() !== ""));
    const open = last?.at(-1)?.scope.split(" ").at(-1) ?? "";
    assert.doesNotMatch(open, /^(string(?!.*bareword)|comment\.block(?!.*end))/, `${basename(file)}: ${file}`);
  }
});
