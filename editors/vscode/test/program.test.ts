import assert from "node:assert/strict";
import { homedir } from "node:os";
import { test } from "node:test";
import { expand, findProgram, missingProgram, type ProgramSearch } from "../src/program";

function search(files: string[], more: Partial<ProgramSearch> = {}): ProgramSearch {
  return {
    path: "",
    useBundler: false,
    extensionPath: "/ext",
    folder: "/project",
    isTrusted: true,
    env: { PATH: "/usr/bin:.:bin:/opt/bin" },
    platform: "linux",
    isExecutable: (file) => files.includes(file),
    ...more
  };
}

test("the setting comes first, then Bundler, the extension's program and PATH", () => {
  const files = ["/own/puppetfn", "/usr/bin/bundle", "/ext/bin/puppetfn", "/opt/bin/puppetfn"];
  const found = (more: Partial<ProgramSearch>) => findProgram(search(files, more))?.command;
  assert.equal(found({ path: "/own/puppetfn", useBundler: true }), "/own/puppetfn");
  assert.equal(found({ useBundler: true }), "/usr/bin/bundle");
  assert.deepEqual(findProgram(search(files, { useBundler: true }))?.args, ["exec", "puppetfn"]);
  assert.equal(found({}), "/ext/bin/puppetfn");
  assert.equal(findProgram(search(["/opt/bin/puppetfn"]))?.origin, "PATH");
});

test("specs need Ruby, which the program of the extension lacks", () => {
  assert.equal(findProgram(search(["/ext/bin/puppetfn"], { ruby: "needed" })), undefined);
  assert.match(missingProgram(search([], { ruby: "needed" })), /need the gem puppetfn/);
  assert.equal(findProgram(search(["/ext/bin/puppetfn", "/opt/bin/puppetfn"], { ruby: "needed" }))?.command, "/opt/bin/puppetfn");
});

test("catalogs prefer Ruby, for functions of modules", () => {
  assert.equal(findProgram(search(["/ext/bin/puppetfn", "/opt/bin/puppetfn"], { ruby: "preferred" }))?.command, "/opt/bin/puppetfn");
  assert.equal(findProgram(search(["/ext/bin/puppetfn"], { ruby: "preferred" }))?.command, "/ext/bin/puppetfn");
});

test("relative entries of PATH are skipped: they name files of the workspace", () => {
  assert.equal(findProgram(search(["bin/puppetfn", "puppetfn", "/project/bin/puppetfn"])), undefined);
});

test("settings of a workspace without trust name no program", () => {
  const files = ["/evil/puppetfn", "/usr/bin/bundle", "/opt/bin/puppetfn"];
  const found = findProgram(search(files, { path: "/evil/puppetfn", useBundler: true, isTrusted: false }));
  assert.equal(found?.command, "/opt/bin/puppetfn");
});

test("a wrong setting is an error, not another program", () => {
  const wrong = search(["/opt/bin/puppetfn"], { path: "${workspaceFolder}/bin/puppetfn" });
  assert.equal(findProgram(wrong), undefined);
  assert.equal(missingProgram(wrong), "puppetfn.path is not a program: /project/bin/puppetfn");
});

test("~ and ${workspaceFolder} are replaced", () => {
  assert.equal(expand("~/bin/puppetfn", undefined), `${homedir()}/bin/puppetfn`);
  assert.equal(expand("${workspaceFolder}/bin/x", "/project"), "/project/bin/x");
  assert.equal(expand("bin/x", "/project"), "/project/bin/x");
});
