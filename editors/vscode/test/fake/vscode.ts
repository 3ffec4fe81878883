// The part of the editor's module that the extension uses, for tests without the editor.

import { readFileSync } from "node:fs";
import { relative } from "node:path";

export class Uri {
  private constructor(
    readonly scheme: string,
    readonly path: string,
    readonly fragment = ""
  ) {}
  static parse(text: string): Uri {
    const [, scheme = "file", path = ""] = /^(\w[\w+.-]*):(?:\/\/)?([^#]*)/.exec(text) ?? [];
    return new Uri(scheme, decodeURIComponent(path));
  }
  static file(path: string): Uri {
    return new Uri("file", path);
  }
  static from(parts: { scheme: string; path: string }): Uri {
    return new Uri(parts.scheme, parts.path);
  }
  static joinPath(uri: Uri, ...parts: string[]): Uri {
    return new Uri(uri.scheme, [uri.path, ...parts].join("/"));
  }
  get fsPath(): string {
    return this.path;
  }
  with(change: { fragment: string }): Uri {
    return new Uri(this.scheme, this.path, change.fragment);
  }
  toString(): string {
    return `${this.scheme}://${encodeURI(this.path)}${this.fragment === "" ? "" : `#${this.fragment}`}`;
  }
}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number
  ) {}
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(...at: [number, number, number, number] | [Position, Position]) {
    const [first, second, third, fourth] = at;
    this.start = typeof first === "number" ? new Position(first, second as number) : first;
    this.end = typeof first === "number" ? new Position(third ?? 0, fourth ?? 0) : (second as Position);
  }
}

export class Location {
  constructor(
    readonly uri: Uri,
    readonly range: Range | Position
  ) {}
}

export class CodeLens {
  constructor(
    readonly range: Range,
    readonly command?: { title: string; command: string; arguments?: unknown[] }
  ) {}
}

export class Disposable {
  constructor(private readonly action: () => unknown = () => undefined) {}
  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() =>
      all.forEach((one) => {
        one.dispose();
      })
    );
  }
  dispose(): void {
    this.action();
  }
}

export class EventEmitter<T> {
  private readonly listeners = new Set<(value: T) => unknown>();
  readonly event = (listener: (value: T) => unknown): Disposable => {
    this.listeners.add(listener);
    return new Disposable(() => this.listeners.delete(listener));
  };
  fire(value: T): void {
    this.listeners.forEach((listener) => {
      listener(value);
    });
  }
  dispose(): void {
    this.listeners.clear();
  }
}

export class CancellationTokenSource {
  private readonly cancelled = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.cancelled.event };
  cancel(): void {
    this.token.isCancellationRequested = true;
    this.cancelled.fire();
  }
}

// Tasks.

export class ProcessExecution {
  constructor(
    readonly process: string,
    readonly args: string[],
    readonly options: { cwd: string; env: Record<string, string> }
  ) {}
}

export const TaskGroup = { Build: "build", Test: "test" };

export class Task {
  group?: unknown;
  presentationOptions?: unknown;
  constructor(
    readonly definition: unknown,
    readonly scope: unknown,
    readonly name: string,
    readonly source: string,
    readonly execution: ProcessExecution,
    readonly problemMatchers: string[]
  ) {}
}

// Debugging.

export class DebugAdapterExecutable {
  constructor(
    readonly command: string,
    readonly args: string[],
    readonly options: { cwd?: string }
  ) {}
}

// Tests.

export enum TestRunProfileKind {
  Run = 1,
  Debug = 2,
  Coverage = 3
}

export class TestMessage {
  location?: Location;
  constructor(readonly message: string) {}
}

export class TestRunRequest {
  readonly exclude = undefined;
  constructor(readonly include?: TestItem[]) {}
}

export class TestItemCollection {
  private readonly items = new Map<string, TestItem>();
  constructor(private readonly owner?: TestItem) {}
  get size(): number {
    return this.items.size;
  }
  add(item: TestItem): void {
    item.parent = this.owner;
    this.items.set(item.id, item);
  }
  get(id: string): TestItem | undefined {
    return this.items.get(id);
  }
  delete(id: string): void {
    this.items.delete(id);
  }
  replace(items: TestItem[]): void {
    this.items.clear();
    items.forEach((item) => {
      this.add(item);
    });
  }
  forEach(action: (item: TestItem) => void): void {
    this.items.forEach((item) => {
      action(item);
    });
  }
  [Symbol.iterator](): Iterator<[string, TestItem]> {
    return this.items[Symbol.iterator]();
  }
}

export class TestItem {
  range?: Range;
  parent: TestItem | undefined;
  canResolveChildren = false;
  readonly children: TestItemCollection = new TestItemCollection(this);
  constructor(
    readonly id: string,
    readonly label: string,
    readonly uri?: Uri
  ) {}
}

/** The events of a run, in their order. */
export class TestRun {
  readonly events: string[] = [];
  readonly messages: TestMessage[] = [];
  readonly coverage: FileCoverage[] = [];
  output = "";
  started(item: TestItem): void {
    this.events.push(`started ${item.label}`);
  }
  passed(item: TestItem): void {
    this.events.push(`passed ${item.label}`);
  }
  skipped(item: TestItem): void {
    this.events.push(`skipped ${item.label}`);
  }
  failed(item: TestItem, message: TestMessage): void {
    this.messages.push(message);
    this.events.push(`failed ${item.label}`);
  }
  errored(item: TestItem, message: TestMessage): void {
    this.messages.push(message);
    this.events.push(`errored ${item.label}`);
  }
  appendOutput(text: string): void {
    this.output += text;
  }
  addCoverage(coverage: FileCoverage): void {
    this.coverage.push(coverage);
  }
  end(): void {
    this.events.push("end");
  }
}

export class TestCoverageCount {
  constructor(
    readonly covered: number,
    readonly total: number
  ) {}
}

export class FileCoverage {
  constructor(
    readonly uri: Uri,
    readonly statementCoverage: TestCoverageCount,
    readonly branchCoverage?: TestCoverageCount,
    readonly declarationCoverage?: TestCoverageCount
  ) {}
}

export class BranchCoverage {
  constructor(
    readonly executed: number,
    readonly location: Position,
    readonly label: string
  ) {}
}

export class StatementCoverage {
  constructor(
    readonly executed: number,
    readonly location: Range,
    readonly branches: BranchCoverage[]
  ) {}
}

export class DeclarationCoverage {
  constructor(
    readonly name: string,
    readonly executed: number,
    readonly location: Range
  ) {}
}

export class RelativePattern {
  constructor(
    readonly base: unknown,
    readonly pattern: string
  ) {}
}

/** The state that tests set and read. */
export const fake = {
  settings: new Map<string, unknown>(),
  folders: [] as string[],
  executed: [] as unknown[][],
  runs: [] as TestRun[],
  isTrusted: true
};

const inert = (): Disposable => new Disposable();

export const tests = {
  createTestController: (id: string, label: string) => ({
    id,
    label,
    items: new TestItemCollection(),
    createTestItem: (itemId: string, itemLabel: string, uri?: Uri) => new TestItem(itemId, itemLabel, uri),
    createRunProfile: (profile: string) => ({ profile }),
    createTestRun: () => {
      fake.runs.push(new TestRun());
      return fake.runs.at(-1);
    },
    dispose: () => undefined
  })
};

export const commands = {
  registerCommand: inert,
  executeCommand: (...args: unknown[]) => {
    fake.executed.push(args);
    return Promise.resolve();
  }
};

export const workspace = {
  get isTrusted(): boolean {
    return fake.isTrusted;
  },
  get workspaceFolders() {
    return fake.folders.map((path, index) => ({ uri: Uri.file(path), name: path, index }));
  },
  textDocuments: [],
  fs: { readFile: async (uri: Uri) => readFileSync(uri.fsPath) },
  findFiles: async () => [],
  asRelativePath: (uri: Uri) => relative(fake.folders[0] ?? "/", uri.fsPath),
  getWorkspaceFolder: (uri: Uri) => workspace.workspaceFolders.find((folder) => uri.fsPath.startsWith(folder.uri.fsPath)),
  getConfiguration: (section: string) => ({
    get: (name: string, fallback: unknown) => fake.settings.get(`${section}.${name}`) ?? fallback,
    inspect: (name: string) => ({ globalValue: fake.settings.get(`${section}.${name}`) })
  }),
  createFileSystemWatcher: () => ({ onDidCreate: inert, onDidChange: inert, onDidDelete: inert, dispose: () => undefined }),
  onDidOpenTextDocument: inert
};

// Tests call no functions that use these.
export const debug = {};
export const window = {};
export const languages = {};
export const env = {};

export enum DiagnosticSeverity {
  Error = 0
}

export enum StatusBarAlignment {
  Right = 2
}

export class ThemeColor {
  constructor(readonly id: string) {}
}
