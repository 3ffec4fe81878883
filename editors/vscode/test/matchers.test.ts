// The problem matchers, on the real output of the commands.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { command } from "./support/command";
import { module } from "./support/module";

interface Pattern {
  readonly regexp: string;
  readonly file?: number;
  readonly line?: number;
  readonly message?: number;
  readonly severity?: number;
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  contributes: { problemMatchers: { name: string; pattern: Pattern[] }[] };
};

/** Finds problems as the editor does: the patterns match consecutive lines. */
function problems(name: string, output: string): (string | undefined)[][] {
  const patterns = manifest.contributes.problemMatchers.find((one) => one.name === name)?.pattern ?? [];
  const lines = output.split("\n");
  return lines.flatMap((_, at) => {
    const matches = patterns.map((pattern, ahead) => new RegExp(pattern.regexp).exec(lines[at + ahead] ?? ""));
    if (matches.length === 0 || matches.some((match) => match === null)) {
      return [];
    }
    const group = (key: "file" | "line" | "message" | "severity") =>
      patterns
        .map((pattern, index) => (pattern[key] === undefined ? undefined : matches[index]?.[pattern[key]]))
        .find((one) => one !== undefined);
    return [[group("severity"), group("file"), group("line"), group("message")]];
  });
}

test("findings of check", async () => {
  const root = module({ "manifests/init.pp": "class web {\n  notify { 'a': mesage => 1 }\n}\n" });
  const { stdout } = await command(["check"], root);
  const [severity, file, line, message] = problems("puppetfn-check", stdout)[0] ?? [];
  assert.deepEqual([severity, file?.replace(/^\.\//, ""), line], ["error", "manifests/init.pp", "2"]);
  assert.match(message ?? "", /did you mean 'message'/);
});

test("failed examples of test", async () => {
  const root = module({
    "manifests/init.pp": "class web { }\n",
    "spec/classes/web_spec.rb": 'describe "web" do\n  it { is_expected.to contain_file("/a") }\nend\n'
  });
  const { stdout } = await command(["test"], root);
  const found = problems("puppetfn-test", stdout);
  assert.equal(found.length, 1, stdout);
  assert.deepEqual(found[0]?.slice(1, 3), ["./spec/classes/web_spec.rb", "2"]);
});
