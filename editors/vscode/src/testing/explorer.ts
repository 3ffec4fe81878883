// The test explorer: spec files, their examples, and runs of `puppetfn test`.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import * as vscode from "vscode";
import { specConfiguration } from "../debugging";
import { groupBy } from "../group";
import { findProgram, missingProgram } from "../program";
import { reason, run } from "../run";
import { folderSettings, programSearch } from "../settings";
import { coverageOf, detailsOf, PuppetCoverage } from "./coverage";
import { readLcov } from "./lcov";
import { itemAt, type SpecItem, specItems } from "./outline";
import { projectOf } from "./places";
import { type ExampleResult, readReport, type TestReport } from "./report";

/** Files whose examples never need a catalog of puppetfn. */
const EXCLUDED = "**/{fixtures,vendor,node_modules,acceptance}/**";

/** The tests of a window. */
export class Explorer implements vscode.Disposable {
  readonly controller = vscode.tests.createTestController("puppetfn", "Puppet specs");
  private readonly disposables: vscode.Disposable[] = [this.controller];

  constructor(
    private readonly extensionPath: string,
    private readonly log: vscode.LogOutputChannel
  ) {
    this.controller.resolveHandler = (item) => (item === undefined ? this.discover() : this.fill(item));
    this.controller.refreshHandler = () => this.discover();
    this.controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    this.controller.createRunProfile("Debug", vscode.TestRunProfileKind.Debug, (request) => this.debug(request));
    const coverage = this.controller.createRunProfile("Run with coverage", vscode.TestRunProfileKind.Coverage, (request, token) =>
      this.run(request, token, true)
    );
    coverage.loadDetailedCoverage = async (_run, file) => (file instanceof PuppetCoverage ? detailsOf(file.counts) : []);
    const watcher = vscode.workspace.createFileSystemWatcher("**/*_spec.rb");
    this.disposables.push(
      watcher,
      watcher.onDidCreate((uri) => this.add(uri)),
      watcher.onDidChange((uri) => this.add(uri)),
      watcher.onDidDelete((uri) => this.controller.items.delete(uri.toString())),
      vscode.workspace.onDidOpenTextDocument((document) => this.opened(document))
    );
    vscode.workspace.textDocuments.forEach((document) => {
      this.opened(document);
    });
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  /** Runs the item at a line of a spec file, or the whole file. */
  async runAt(uri: vscode.Uri, line?: number): Promise<void> {
    const file = await this.add(uri);
    const item = line === undefined ? undefined : itemAt(specItems(await text(uri)), line);
    const found = item === undefined ? file : (child(file, `${uri}:${item.line}`) ?? file);
    // The editor shows the results of runs that it has started itself.
    void vscode.commands.executeCommand("workbench.panel.testResults.view.focus", { preserveFocus: true });
    await this.run(new vscode.TestRunRequest([found]), new vscode.CancellationTokenSource().token);
  }

  private async discover(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const found = folders.map((folder) => {
      const pattern = new vscode.RelativePattern(folder, folderSettings(folder.uri).testPattern);
      return vscode.workspace.findFiles(pattern, EXCLUDED);
    });
    const files = (await Promise.all(found)).flat();
    const known = new Set(files.map(String));
    this.controller.items.forEach((item) => {
      if (!known.has(item.id)) {
        this.controller.items.delete(item.id);
      }
    });
    for (const uri of files) {
      this.file(uri);
    }
  }

  private opened(document: vscode.TextDocument): void {
    if (
      document.uri.scheme === "file" &&
      document.fileName.endsWith("_spec.rb") &&
      !/[\\/](fixtures|acceptance)[\\/]/.test(document.fileName)
    ) {
      void this.add(document.uri);
    }
  }

  private file(uri: vscode.Uri): vscode.TestItem {
    const known = this.controller.items.get(uri.toString());
    if (known !== undefined) {
      return known;
    }
    const item = this.controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    item.canResolveChildren = true;
    this.controller.items.add(item);
    return item;
  }

  private async add(uri: vscode.Uri): Promise<vscode.TestItem> {
    const item = this.file(uri);
    await this.fill(item);
    return item;
  }

  /** Reads the items of a spec file. */
  private async fill(item: vscode.TestItem): Promise<void> {
    if (item.uri !== undefined && item.parent === undefined) {
      const uri = item.uri;
      item.children.replace(specItems(await text(uri)).map((one) => this.item(uri, one)));
    }
  }

  private item(uri: vscode.Uri, one: SpecItem): vscode.TestItem {
    const item = this.controller.createTestItem(`${uri}:${one.line}`, one.label, uri);
    item.range = new vscode.Range(one.line - 1, 0, one.line - 1, 0);
    item.children.replace(one.children.map((inner) => this.item(uri, inner)));
    return item;
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken, coverage = false): Promise<void> {
    const testRun = this.controller.createTestRun(request);
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    try {
      if (request.include === undefined) {
        await this.discover();
      }
      const items = request.include ?? [...this.controller.items].map(([, item]) => item);
      const chosen = items.filter((item) => !request.exclude?.includes(item));
      for (const [project, selected] of groupBy(chosen, (item) => projectOf(item.uri?.fsPath ?? ""))) {
        if (!token.isCancellationRequested) {
          await this.runProject(testRun, project, selected, coverage, stop.signal);
        }
      }
    } finally {
      testRun.end();
    }
  }

  /** Debugs the first of the chosen items: a debug session has one process. */
  private async debug(request: vscode.TestRunRequest): Promise<void> {
    const item = request.include?.[0];
    if (item?.uri === undefined) {
      void vscode.window.showInformationMessage("Choose the spec file or example to debug.");
      return;
    }
    const line = item.parent === undefined ? undefined : (item.range?.start.line ?? 0) + 1;
    const folder = vscode.workspace.getWorkspaceFolder(item.uri);
    await vscode.debug.startDebugging(folder, specConfiguration(item.uri.fsPath, line));
  }

  /** Runs items of one project in one process. */
  private async runProject(
    testRun: vscode.TestRun,
    project: string,
    items: readonly vscode.TestItem[],
    coverage: boolean,
    signal: AbortSignal
  ): Promise<void> {
    const fail = (message: string): void => {
      items.forEach((item) => {
        testRun.errored(item, new vscode.TestMessage(message));
      });
    };
    items.forEach((item) => {
      testRun.started(item);
    });
    const uri = vscode.Uri.file(project);
    const search = programSearch(this.extensionPath, uri, "needed");
    const program = findProgram(search);
    if (program === undefined) {
      fail(missingProgram(search));
      return;
    }
    const directory = await mkdtemp(join(tmpdir(), "puppetfn-test-"));
    const files = { json: join(directory, "report.json"), lcov: join(directory, "lcov.info") };
    try {
      const args = testArguments(
        items.map((item) => target(item, project)),
        files.json,
        coverage ? files.lcov : undefined
      );
      args.push(...folderSettings(uri).testArguments);
      this.log.info(`${project}: puppetfn ${args.join(" ")}`);
      const show = (output: string): void => testRun.appendOutput(output.replace(/\r?\n/g, "\r\n"));
      const result = await run(program, args, { cwd: project, signal, onOutput: show });
      const report = await readFile(files.json, "utf8").then(
        (json) => readReport(json, project),
        () => undefined
      );
      if (report === undefined) {
        fail(reason(result));
        return;
      }
      this.show(testRun, items, report);
      if (coverage) {
        const counts = readLcov(await readFile(files.lcov, "utf8").catch(() => ""), project);
        counts.forEach((one) => {
          testRun.addCoverage(coverageOf(one));
        });
      }
    } catch (error) {
      if (!signal.aborted) {
        fail(error instanceof Error ? error.message : String(error));
      }
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  /** Shows the outcomes of a run. */
  private show(testRun: vscode.TestRun, items: readonly vscode.TestItem[], report: TestReport): void {
    const byItem = groupBy(report.examples, (example) => this.place(example));
    for (const [item, examples] of byItem) {
      if (examples.length === 1 && examples[0] !== undefined && item.children.size === 0 && item.parent !== undefined) {
        settle(testRun, item, examples[0]);
      } else {
        // Loops and shared examples: one line has several examples.
        for (const example of examples) {
          const one = this.controller.createTestItem(example.id, example.fullDescription, vscode.Uri.file(example.file));
          one.range = new vscode.Range(example.line - 1, 0, example.line - 1, 0);
          item.children.add(one);
          settle(testRun, one, example);
        }
      }
    }
    if (report.examples.length === 0) {
      const message = report.messages.join("\n").trim() || "No examples were found";
      items.forEach((item) => {
        testRun.errored(item, new vscode.TestMessage(message));
      });
    }
  }

  /** Returns the item of an example: the one at its line, or else its file. */
  private place(example: ExampleResult): vscode.TestItem {
    const uri = vscode.Uri.file(example.specFile);
    const file = this.file(uri);
    return (example.file === example.specFile ? child(file, `${uri}:${example.line}`) : undefined) ?? file;
  }
}

/** Returns the arguments of a run. */
export function testArguments(targets: readonly string[], report: string, lcov?: string): string[] {
  const coverage = lcov === undefined ? [] : [`--coverage=lcov:${lcov}`];
  return ["test", ...targets, "--format", "documentation", "--format", "json", "--out", report, ...coverage];
}

/** Returns the argument that runs an item: a file, a line of it, or one example. */
function target(item: vscode.TestItem, project: string): string {
  const [, indices] = /(\[[\d:]+\])$/.exec(item.id) ?? [];
  if (indices !== undefined) {
    return item.id;
  }
  const file = `./${relative(project, item.uri?.fsPath ?? project)}`;
  return item.parent === undefined || item.range === undefined ? file : `${file}:${item.range.start.line + 1}`;
}

function child(item: vscode.TestItem, id: string): vscode.TestItem | undefined {
  for (const [, one] of item.children) {
    const found = one.id === id ? one : child(one, id);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function settle(testRun: vscode.TestRun, item: vscode.TestItem, example: ExampleResult): void {
  if (example.failure !== undefined) {
    const message = new vscode.TestMessage(example.failure.message);
    message.location = new vscode.Location(vscode.Uri.file(example.failure.file), new vscode.Position(example.failure.line - 1, 0));
    testRun.failed(item, message, example.milliseconds);
  } else if (example.status === "pending") {
    testRun.skipped(item);
  } else {
    testRun.passed(item, example.milliseconds);
  }
}

async function text(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  return open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
