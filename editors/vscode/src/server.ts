// The language server: its start, its state and its end.

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions, State, TransportKind } from "vscode-languageclient/node";
import { findProgram, missingProgram, type Program } from "./program";
import { redirected } from "./references";
import { folderSettings, limitArguments, programSearch, projectSettings } from "./settings";

/** The state of the server, as the status bar shows it. */
export type ServerState =
  | { readonly kind: "starting" }
  | { readonly kind: "running"; readonly version: string; readonly program: Program }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly reason: string };

/** The documents that the server follows. Unsaved Hiera data and templates count in renames and lookups. */
const DOCUMENTS = [
  { scheme: "file", language: "puppet" },
  { scheme: "untitled", language: "puppet" },
  { scheme: "file", language: "epp" },
  { scheme: "file", language: "yaml" },
  { scheme: "file", pattern: "**/*.erb" },
  { scheme: "file", pattern: "**/{metadata.json,Puppetfile,tasks/*.json}" }
];

/** Settings that take effect when the server starts. */
const SERVER_SETTINGS = ["path", "useBundler", "limits", "modulepath", "environment", "exclude", "baseline", "check", "rules"];

/** The language server of the window. */
export class Server implements vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<ServerState>();
  private client: LanguageClient | undefined;
  private queue: Promise<void> = Promise.resolve();
  private current: ServerState = { kind: "stopped" };
  /** Receives each change of the state. */
  readonly onChange = this.changes.event;

  constructor(
    private readonly extensionPath: string,
    private readonly log: vscode.LogOutputChannel
  ) {}

  get state(): ServerState {
    return this.current;
  }

  /** Starts the server, after the end of the previous one. */
  restart(): Promise<void> {
    this.queue = this.queue.then(async () => {
      await this.stop();
      await this.start();
    });
    return this.queue;
  }

  /** Returns the answer to a request, or undefined without a running server. */
  async request<T>(method: string, params: unknown): Promise<T | undefined> {
    return this.current.kind === "running" ? this.client?.sendRequest<T>(method, params) : undefined;
  }

  /** Returns true if a change of settings needs a new server. */
  static isAffected(event: vscode.ConfigurationChangeEvent): boolean {
    return SERVER_SETTINGS.some((name) => event.affectsConfiguration(`puppetfn.${name}`));
  }

  async dispose(): Promise<void> {
    await this.queue;
    await this.stop();
    this.changes.dispose();
  }

  private set(state: ServerState): void {
    this.current = state;
    this.changes.fire(state);
  }

  private async start(): Promise<void> {
    const search = programSearch(this.extensionPath, vscode.workspace.workspaceFolders?.[0]?.uri);
    const program = findProgram(search);
    if (program === undefined) {
      this.fail(missingProgram(search));
      return;
    }
    this.set({ kind: "starting" });
    const args = [...program.args, "lsp", ...limitArguments()];
    this.log.info(`Starting ${[program.command, ...args].join(" ")} (${program.origin})`);
    const executable = {
      command: program.command,
      args,
      transport: TransportKind.stdio,
      options: { shell: /\.(bat|cmd)$/i.test(program.command), ...(search.folder === undefined ? {} : { cwd: search.folder }) }
    };
    const client = new LanguageClient("puppetfn", "Puppet", serverOptions(executable), this.clientOptions());
    this.client = client;
    client.onDidChangeState((change) => {
      // The client restarts a server that has crashed, up to a limit.
      if (change.newState === State.Stopped && this.client === client) {
        this.fail("The server ended; the log has its last words");
      } else if (change.newState === State.Running) {
        const version = client.initializeResult?.serverInfo?.version ?? "";
        this.set({ kind: "running", version, program });
      }
    });
    try {
      await client.start();
    } catch (error) {
      this.client = undefined;
      this.fail(error instanceof Error ? error.message : String(error));
    }
  }

  private fail(reason: string): void {
    this.log.error(reason);
    this.set({ kind: "failed", reason });
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client !== undefined) {
      await client.dispose().catch((error: unknown) => this.log.warn(String(error)));
      this.set({ kind: "stopped" });
    }
  }

  private clientOptions(): LanguageClientOptions {
    return {
      documentSelector: DOCUMENTS,
      outputChannel: this.log,
      // The client asks the server for diagnostics; their collection is the server's "puppetfn". The problem matcher of `check` has the
      // same owner, so that a finding of both is shown once.
      initializationOptions: { settings: projectSettings(vscode.workspace.workspaceFolders?.[0]?.uri) },
      middleware: {
        provideCodeLenses: async (document, token, next) =>
          folderSettings(document.uri).showsCodeLens ? redirected(await next(document, token)) : []
      }
    };
  }
}

function serverOptions(executable: ServerOptions & { command: string }): ServerOptions {
  return { run: executable, debug: executable } as ServerOptions;
}
