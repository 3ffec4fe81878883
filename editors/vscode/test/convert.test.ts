// Conversions between the protocol, puppetfn's output and the editor's classes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as vscode from "vscode";
import { catalogArguments, diffArguments, firstClass } from "../src/catalogs/nodes";
import { webviewPage } from "../src/catalogs/page";
import { reference, resourceAt } from "../src/catalogs/symbols";
import { tracePlaces } from "../src/catalogs/trace";
import { menuItems } from "../src/menu";
import { redirected, referencesArguments, SHOW_REFERENCES } from "../src/references";
import { projectSettings } from "../src/settings";
import { statusText } from "../src/status";
import { type PuppetTask, taskExecution } from "../src/tasks";
import { fake } from "./fake/vscode";

const range = (line: number, end = line) => ({ start: { line, character: 2 }, end: { line: end, character: 9 } });

test("arguments of references become classes of the editor", () => {
  const [uri, position, locations] = referencesArguments("file:///a%20b.pp", { line: 3, character: 4 }, [
    { uri: "file:///c.pp", range: range(7) }
  ]);
  assert.ok(uri instanceof vscode.Uri && position instanceof vscode.Position && locations[0] instanceof vscode.Location);
  assert.equal(uri.fsPath, "/a b.pp");
  assert.deepEqual([position.line, position.character], [3, 4]);
  assert.ok(locations[0]?.range instanceof vscode.Range);
  assert.deepEqual([locations[0]?.range.start.line, locations[0]?.range.end.character], [7, 9]);
});

test("a code lens runs the command that converts its arguments", () => {
  const args = ["file:///a.pp", { line: 0, character: 0 }, []];
  const at = new vscode.Range(0, 0, 0, 5);
  const lenses = [
    new vscode.CodeLens(at, { title: "named 2 times", command: "editor.action.showReferences", arguments: args }),
    new vscode.CodeLens(at, { title: "never named", command: "" })
  ];
  const [first, second] = redirected(lenses);
  assert.deepEqual(first?.command, { title: "named 2 times", command: SHOW_REFERENCES, arguments: args });
  assert.equal(second?.command?.command, "");
  assert.deepEqual(redirected(null), []);
});

test("the resource at the cursor is the innermost of the outline", () => {
  const file = { name: "file { '/a' }", kind: 19, range: range(3, 5), children: [{ name: "ensure", kind: 7, range: range(4) }] };
  const symbols = [{ name: "ntp", kind: 5, range: range(0, 9), children: [file] }];
  assert.equal(resourceAt(symbols, 4, 5), "File[/a]");
  assert.equal(resourceAt(symbols, 7, 0), "Class[ntp]");
  assert.equal(resourceAt(symbols, 20, 0), undefined);
});

test("references of resources", () => {
  assert.equal(reference("ntp::server { 'a b' }"), "Ntp::Server[a b]");
  assert.equal(reference('@@file { "/etc/${name}" }'), "File[/etc/${name}]");
  assert.equal(reference("class { ntp }"), "Class[ntp]");
});

test("places of a trace are links", () => {
  const text = "File[/a], declared at site/p.pp:13\n  ensure => 'file'  # the declaration at /x/q.pp:4\n  a => 'at b.pp:1x'\n";
  const places = tracePlaces(text, "/repo").map(({ line, file, at }) => [line, file, at]);
  assert.deepEqual(places.slice(0, 2), [
    [0, "/repo/site/p.pp", 13],
    [1, "/x/q.pp", 4]
  ]);
});

test("arguments of catalogs name the environment, or a module with a class", () => {
  const settings = { facts: "facts", classifier: "scripts/enc.sh", catalogArguments: ["--no-secrets"] };
  const environment = { kind: "environment", directory: "/repo" } as const;
  assert.deepEqual(catalogArguments(environment, settings, "/repo/facts/web1.json"), [
    ...["--environment", "/repo", "--facts", "/repo/facts/web1.json"],
    ...["--enc", "/repo/scripts/enc.sh", "--no-secrets"]
  ]);
  const [option, , classes, name] = catalogArguments(
    { kind: "module", directory: "/m/ntp" },
    { ...settings, classifier: "" },
    undefined,
    "ntp"
  );
  assert.deepEqual([option, classes, name], ["--modulepath", "--classes", "ntp"]);
  assert.deepEqual(diffArguments(environment, settings, "main").slice(0, 5), ["diff", "main", ".", "--nodes", "facts"]);
  assert.equal(firstClass("# class not::this\nclass ntp::config (\n"), "ntp::config");
});

test("a page in a webview has the editor's theme and no network", () => {
  const page =
    '<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'sha256-x\'">' +
    '<meta name="color-scheme" content="light dark"><style>:root { color-scheme: light dark; } @media (prefers-color-scheme: dark) { a {} }</style>';
  const dark = webviewPage(page, "dark");
  assert.match(dark, /default-src 'none'; img-src data:/);
  assert.doesNotMatch(dark, /sha256|light dark/);
  assert.match(dark, /@media all \{ a/);
  assert.match(webviewPage(page, "light"), /@media not all \{ a/);
});

test("tasks run the program with plain output", () => {
  const search = {
    ...{ path: "/bin/p", useBundler: false, extensionPath: "/e", folder: "/w", isTrusted: true },
    ...{ env: {}, platform: "linux" as const, isExecutable: () => true }
  };
  const definition: PuppetTask = { type: "puppetfn", command: "check", args: ["--fail-on-warnings"] };
  const execution = taskExecution(definition, search, "/w");
  assert.equal(execution?.process, "/bin/p");
  assert.deepEqual(execution?.args, ["check", "--fail-on-warnings"]);
  assert.equal(execution?.options?.env?.NO_COLOR, "1");
  assert.equal(taskExecution(definition, { ...search, isExecutable: () => false }, "/w"), undefined);
});

test("set settings have the form of puppetfn.toml", () => {
  fake.settings.set("puppetfn.check.select", ["default", "style"]).set("puppetfn.modulepath", ["modules"]);
  assert.deepEqual(projectSettings(), { modulepath: ["modules"], check: { select: ["default", "style"] } });
  fake.settings.clear();
  assert.deepEqual(projectSettings(), {});
});

test("the status bar has the version and the number of errors", () => {
  const program = { command: "/usr/bin/puppetfn", args: [], origin: "PATH" } as const;
  const running = statusText({ kind: "running", version: "0.1.0", program }, 2);
  assert.equal(running.text, "$(check) Puppet 0.1.0 $(error) 2");
  assert.match(running.tooltip, /2 errors\n\/usr\/bin\/puppetfn \(PATH\)/);
  const failed = statusText({ kind: "failed", reason: "not on PATH" }, 0);
  assert.deepEqual([failed.tooltip, failed.isProblem], ["not on PATH", true]);
});

test("each command of the menu and each view of package.json exists", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8")) as { contributes: { commands: { command: string }[] } };
  const known = new Set(manifest.contributes.commands.map((one) => one.command).concat("puppetfn.openSettings"));
  const sources = ["extension", "menu", "specs", "references", "catalogs/commands"]
    .map((name) => readFileSync(`src/${name}.ts`, "utf8"))
    .join();
  for (const { command } of menuItems({ kind: "stopped" }, true)) {
    assert.ok(known.has(command), command);
  }
  const untrusted = menuItems({ kind: "stopped" }, false).map(({ command }) => command);
  assert.ok(untrusted.includes("puppetfn.restart") && !untrusted.includes("puppetfn.showGraph"));
  for (const command of known) {
    assert.ok(sources.includes(`registerCommand("${command}"`), `${command} is registered`);
  }
});
