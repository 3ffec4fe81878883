// The test explorer: outlines of spec files, reports, coverage, and a run of the real command.

import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as vscode from "vscode";
import { detailsOf } from "../src/testing/coverage";
import { Explorer, testArguments } from "../src/testing/explorer";
import { readLcov } from "../src/testing/lcov";
import { itemAt, type SpecItem, specItems } from "../src/testing/outline";
import { projectOf, specFilesOf } from "../src/testing/places";
import { readReport } from "../src/testing/report";
import { fake, type TestItem } from "./fake/vscode";
import { program } from "./support/command";
import { module } from "./support/module";

const SPEC = `require "spec_helper"

shared_examples "a service" do
  it { is_expected.to contain_service("web") }
end

describe 'web' do
  on_supported_os.each do |os, facts|
    context "on #{os}" do
      it { is_expected.to compile.with_all_deps }
      it 'has a file' do
        is_expected.to contain_file("/etc/web")
      end
    end
  end

  it_behaves_like "a service"
end
`;

function labels(items: readonly SpecItem[]): unknown[] {
  return items.map((item) =>
    item.children.length === 0 ? `${item.line} ${item.label}` : [`${item.line} ${item.label}`, labels(item.children)]
  );
}

test("the outline of a spec file", () => {
  assert.deepEqual(labels(specItems(SPEC)), [
    '4 is_expected.to contain_service("web")',
    ["7 web", [["9 on #{os}", ["10 is_expected.to compile.with_all_deps", "11 has a file"]], "17 behaves like a service"]]
  ]);
  assert.equal(itemAt(specItems(SPEC), 12)?.line, 11);
  assert.equal(itemAt(specItems(SPEC), 8)?.label, "web");
  assert.equal(itemAt(specItems(SPEC), 1), undefined);
});

test("places of specs", () => {
  const exists = (file: string) => file === "/m/puppet-ntp/metadata.json";
  assert.equal(projectOf("/m/ntp/spec/classes/a_spec.rb"), "/m/ntp");
  assert.equal(specFilesOf("/m/puppet-ntp/manifests/init.pp", exists)[0], "/m/puppet-ntp/spec/classes/ntp_spec.rb");
  assert.ok(specFilesOf("/m/puppet-ntp/manifests/a/b.pp", exists).includes("/m/puppet-ntp/spec/defines/a/b_spec.rb"));
  assert.equal(specFilesOf("/m/puppet-ntp/functions/line.pp", exists)[0], "/m/puppet-ntp/spec/functions/line_spec.rb");
  assert.equal(specFilesOf("/m/puppet-ntp/lib/puppet/functions/ntp/x.rb", exists)[0], "/m/puppet-ntp/spec/functions/x_spec.rb");
  assert.deepEqual(
    specFilesOf("/elsewhere/a.pp", () => false),
    []
  );
});

test("failures of a report are at the innermost line of the module", () => {
  const backtrace = [
    "/usr/lib/gems/rspec/x.rb:1:in `a'",
    "/m/web/spec/fixtures/modules/b/x.rb:2:in `b'",
    "./spec/classes/web_spec.rb:11:in `c'"
  ];
  const example = {
    ...{ id: "./spec/classes/web_spec.rb[1:2]", description: "has", full_description: "web has", status: "failed" },
    ...{ file_path: "./spec/classes/web_spec.rb", line_number: 10, run_time: 0.5, pending_message: null },
    exception: { class: "Puppet::Error", message: "no\n", backtrace }
  };
  const report = readReport(JSON.stringify({ examples: [example], messages: ["a"] }), "/m/web");
  const [found] = report.examples;
  assert.deepEqual(found?.failure, { message: "Puppet::Error: no", file: "/m/web/spec/classes/web_spec.rb", line: 11 });
  assert.deepEqual([found?.specFile, found?.milliseconds, report.messages], ["/m/web/spec/classes/web_spec.rb", 500, ["a"]]);
});

test("coverage in the format of lcov", () => {
  const text = "TN:\nSF:manifests/init.pp\nFN:1,web\nFNDA:2,web\nBRDA:3,0,0,1\nBRDA:3,0,1,-\nDA:1,2\nDA:3,0\nend_of_record\n";
  const [counts] = readLcov(text, "/m/web");
  assert.ok(counts);
  assert.equal(counts.file, "/m/web/manifests/init.pp");
  assert.deepEqual(counts.definitions, [{ name: "web", line: 1, count: 2 }]);
  const [, statement, declaration] = detailsOf(counts);
  assert.ok(statement instanceof vscode.StatementCoverage && declaration instanceof vscode.DeclarationCoverage);
  assert.deepEqual(
    statement.branches.map((branch) => branch.executed),
    [1, 0]
  );
  assert.equal((statement.location as vscode.Range).start.line, 2);
});

test("arguments of a run", () => {
  const args = testArguments(["./spec/a_spec.rb:3"], "/tmp/r.json", "/tmp/l.info");
  assert.equal(
    args.join(" "),
    "test ./spec/a_spec.rb:3 --format documentation --format json --out /tmp/r.json --coverage=lcov:/tmp/l.info"
  );
});

test("the explorer runs specs and shows their outcomes and coverage", async () => {
  const root = module({
    "manifests/init.pp": "class web {\n  service { 'web': ensure => running }\n}\n",
    "spec/classes/web_spec.rb": SPEC.replace('require "spec_helper"', "").replace("on_supported_os.each", '{"a" => {}, "b" => {}}.each')
  });
  // A script in place of the settings' path, as the path takes no arguments.
  const path = join(root, "puppetfn");
  writeFileSync(path, `#!/bin/sh\nexec ${[program.command, ...program.args].map((word) => `'${word}'`).join(" ")} "$@"\n`);
  chmodSync(path, 0o755);
  fake.folders = [root];
  fake.settings.set("puppetfn.path", path);
  const log = { info: () => undefined, error: () => undefined } as unknown as vscode.LogOutputChannel;
  const explorer = new Explorer("/nowhere", log);
  const uri = vscode.Uri.file(join(root, "spec/classes/web_spec.rb"));
  await explorer.runAt(uri);
  const [run] = fake.runs;
  assert.ok(run);
  const count = (kind: string) => run.events.filter((event) => event.startsWith(kind)).length;
  assert.deepEqual(
    [count("passed"), count("failed"), count("errored"), run.events.at(-1)],
    [3, 2, 0, "end"],
    run.events.join("\n") + run.output
  );
  assert.match(run.messages[0]?.message ?? "", /File\[\/etc\/web\]/);
  assert.equal((run.messages[0]?.location?.range as vscode.Position | undefined)?.line, 11);

  // One line of a loop is run again, and only its examples.
  fake.runs.length = 0;
  await explorer.runAt(uri, 11);
  const again = fake.runs[0]?.events.filter((event) => event.startsWith("failed")) ?? [];
  assert.deepEqual(again.sort(), ["failed web on a has a file", "failed web on b has a file"]);
  const file = [...explorer.controller.items][0]?.[1] as unknown as TestItem;
  assert.equal(file.label, "spec/classes/web_spec.rb");
});
