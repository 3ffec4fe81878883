// The debugger: configurations, and a session with the test library of VS Code's debug adapters.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DebugClient } from "@vscode/debugadapter-testsupport";
import * as vscode from "vscode";
import { Debugging, specConfiguration } from "../src/debugging";
import { fake } from "./fake/vscode";
import { program } from "./support/command";
import { module } from "./support/module";

const MANIFEST = `class web (Integer $port = 80) {
  $doubled = web::double($port)
  notify { "listens on \${doubled}": }
}
`;
const FUNCTION = `function web::double(Integer $number) {
  $result = $number * 2
  $result
}
`;

test("configurations for specs", () => {
  const configuration = specConfiguration("/m/ntp/spec/classes/ntp_spec.rb", 12);
  assert.deepEqual(
    [configuration.command, configuration.args, configuration.cwd],
    ["test", ["/m/ntp/spec/classes/ntp_spec.rb:12"], "/m/ntp"]
  );
});

test("the adapter is the program of the settings", async () => {
  const root = module({ "manifests/init.pp": MANIFEST });
  const path = join(root, "puppetfn");
  writeFileSync(path, "#!/bin/sh\n", { mode: 0o755 });
  fake.settings.set("puppetfn.path", path);
  const debugging = new Debugging("/nowhere");
  const session = { configuration: { type: "puppetfn", command: "compile", cwd: root } } as unknown as vscode.DebugSession;
  const { command, args } = debugging.createDebugAdapterDescriptor(session);
  assert.deepEqual([command, args], [path, ["dap"]]);
  fake.settings.delete("puppetfn.path");

  const folder = { uri: vscode.Uri.file(root), name: "web", index: 0 };
  const given = { type: "puppetfn", request: "launch", name: "a", command: "eval", args: ["1"] };
  assert.deepEqual(await debugging.resolveDebugConfiguration(folder, given), { cwd: root, ...given });
});

test("a session from a breakpoint to the end", async () => {
  const root = module({ "manifests/init.pp": MANIFEST, "functions/double.pp": FUNCTION });
  const script = join(root, "adapter.sh");
  const words = [program.command, ...program.args, "dap"].map((word) => `'${word}'`);
  writeFileSync(script, `exec ${words.join(" ")}\n`);
  const client = new DebugClient("sh", script, "puppetfn", { cwd: root });
  client.defaultTimeout = 60_000;
  await client.start();
  try {
    const launch = { command: "compile", args: ["web01", "--modulepath", join(root, ".."), "--classes", "web"], cwd: root };
    await client.hitBreakpoint(launch, { path: join(root, "functions/double.pp"), line: 3 });
    const { body: stack } = await client.stackTraceRequest({ threadId: 1 });
    assert.deepEqual(
      stack.stackFrames.map((frame) => `${frame.name} ${frame.line}`),
      ["web::double 3", "Class[Web] 2"]
    );
    const { body: scopes } = await client.scopesRequest({ frameId: 0 });
    const [locals] = scopes.scopes;
    const { body: variables } = await client.variablesRequest({ variablesReference: locals?.variablesReference ?? 0 });
    assert.deepEqual(
      variables.variables.map(({ name, value, type }) => [name, value, type]),
      [
        ["$number", "80", "Integer"],
        ["$result", "160", "Integer"]
      ]
    );
    const [, exited] = await Promise.all([client.continueRequest({ threadId: 1 }), client.waitForEvent("exited")]);
    assert.deepEqual(exited.body, { exitCode: 0 });
  } finally {
    await client.stop();
  }
});
