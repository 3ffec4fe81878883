// Commands about catalogs: the graph, `why` and the diff.

import { relative } from "node:path";
import * as vscode from "vscode";
import { findProgram, missingProgram } from "../program";
import { type CommandResult, reason, run } from "../run";
import type { Server } from "../server";
import { folderSettings, programSearch } from "../settings";
import { type CodeRoot, catalogArguments, codeRoot, diffArguments, firstClass, nodesOf } from "./nodes";
import { Pages } from "./pages";
import { type OutlineSymbol, resourceAt } from "./symbols";
import { tracePlaces } from "./trace";

const TRACE_SCHEME = "puppetfn-why";

/** The code around the open file, with its settings. */
interface Context {
  readonly uri: vscode.Uri;
  readonly root: CodeRoot;
  readonly text: string;
}

/** A node that the user chose. */
interface ChosenNode {
  readonly name: string;
  readonly facts: string | undefined;
}

/** Commands about catalogs. */
export class CatalogCommands implements vscode.Disposable {
  private readonly traces = new Map<string, { text: string; directory: string }>();
  private readonly traceChanges = new vscode.EventEmitter<vscode.Uri>();
  private readonly lastNodes = new Map<string, string>();
  private readonly pages = new Pages();
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly extensionPath: string,
    private readonly log: vscode.LogOutputChannel,
    private readonly server: Server
  ) {
    this.disposables = [
      this.traceChanges,
      this.pages,
      vscode.workspace.registerTextDocumentContentProvider(TRACE_SCHEME, {
        onDidChange: this.traceChanges.event,
        provideTextDocumentContent: (uri) => this.traces.get(uri.toString())?.text ?? ""
      }),
      vscode.languages.registerDocumentLinkProvider({ scheme: TRACE_SCHEME }, { provideDocumentLinks: (document) => this.links(document) }),
      vscode.commands.registerCommand("puppetfn.showGraph", () => this.guarded(() => this.graph())),
      vscode.commands.registerCommand("puppetfn.why", () => this.guarded(() => this.why())),
      vscode.commands.registerCommand("puppetfn.diff", () => this.guarded(() => this.diff()))
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private async graph(): Promise<void> {
    const context = this.context();
    const node = await this.chooseNode(context);
    if (node === undefined) {
      return;
    }
    const settings = folderSettings(context.uri);
    const args = [
      "graph",
      node.name,
      "--format",
      "html",
      ...catalogArguments(context.root, settings, node.facts, firstClass(context.text))
    ];
    const result = await this.run(args, context, `Compiling the catalog of ${node.name}`);
    if (result?.code === 0) {
      this.pages.show("puppetfn.graph", `Catalog of ${node.name}`, result.stdout);
    } else if (result !== undefined) {
      throw new Error(reason(result));
    }
  }

  private async why(): Promise<void> {
    const context = this.context();
    const resource = await vscode.window.showInputBox({
      title: "Why is this resource in the catalog?",
      prompt: "A reference, such as File[/etc/motd]",
      value: (await this.resourceAtCursor()) ?? ""
    });
    if (resource === undefined || resource === "") {
      return;
    }
    const node = await this.chooseNode(context);
    if (node === undefined) {
      return;
    }
    const settings = folderSettings(context.uri);
    const args = ["why", node.name, resource, ...catalogArguments(context.root, settings, node.facts, firstClass(context.text))];
    const result = await this.run(args, context, `Tracing ${resource} on ${node.name}`);
    if (result?.code === 0) {
      await this.showTrace(resource, node.name, result.stdout, context.root.directory);
    } else if (result !== undefined) {
      throw new Error(reason(result));
    }
  }

  private async diff(): Promise<void> {
    const context = this.context();
    if (context.root.kind !== "environment") {
      throw new Error("Catalogs of nodes are compared in a control repository, which has an environment.conf");
    }
    const settings = folderSettings(context.uri);
    const base = settings.diffBase;
    const result = await this.run(diffArguments(context.root, settings, base), context, `Comparing the catalogs with ${base}`);
    // As for octocatalog-diff, 2 means differences, and 1 a failure: maybe of a node, which the page shows.
    if (result?.stdout.startsWith("<!DOCTYPE html>")) {
      this.pages.show("puppetfn.diff", `Differences from ${base}`, result.stdout);
    } else if (result !== undefined) {
      throw new Error(reason(result));
    }
  }

  private context(): Context {
    const document = vscode.window.activeTextEditor?.document;
    const folder = document === undefined ? undefined : vscode.workspace.getWorkspaceFolder(document.uri);
    const uri = document?.uri.scheme === "file" ? document.uri : vscode.workspace.workspaceFolders?.[0]?.uri;
    const inside = document?.uri.scheme === "file" ? document.uri.fsPath : uri && vscode.Uri.joinPath(uri, "any").fsPath;
    const root = inside === undefined ? undefined : codeRoot(inside, (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath);
    if (uri === undefined || root === undefined) {
      throw new Error("Open a file of a control repository (environment.conf) or of a module (metadata.json)");
    }
    return { uri, root, text: document?.getText() ?? "" };
  }

  private async chooseNode({ root, uri }: Context): Promise<ChosenNode | undefined> {
    const nodes = nodesOf(root.directory, folderSettings(uri).facts);
    const last = this.lastNodes.get(root.directory);
    if (nodes.length > 0) {
      const items = nodes
        .map((node) => ({ label: node.name, description: relative(root.directory, node.file), node }))
        .sort((one, other) => Number(other.label === last) - Number(one.label === last));
      const chosen = await vscode.window.showQuickPick(items, { title: "Node", matchOnDescription: true });
      if (chosen !== undefined) {
        this.lastNodes.set(root.directory, chosen.label);
      }
      return chosen && { name: chosen.node.name, facts: chosen.node.file };
    }
    const name = await vscode.window.showInputBox({
      title: "Node",
      prompt: "The name of a node. Without a file of facts (puppetfn.nodes.facts), it has no facts.",
      value: last ?? "test.example.com"
    });
    if (name !== undefined) {
      this.lastNodes.set(root.directory, name);
    }
    return name === undefined || name === "" ? undefined : { name, facts: undefined };
  }

  private async resourceAtCursor(): Promise<string | undefined> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) {
      return undefined;
    }
    const params = { textDocument: { uri: editor.document.uri.toString() } };
    const symbols = await this.server.request<OutlineSymbol[] | null>("textDocument/documentSymbol", params);
    return resourceAt(symbols ?? [], editor.selection.active.line, editor.selection.active.character);
  }

  /** Runs a command with a progress notification. Returns undefined if the user cancels it. */
  private async run(args: string[], { root, uri }: Context, title: string): Promise<CommandResult | undefined> {
    const search = programSearch(this.extensionPath, uri, "preferred");
    const program = findProgram(search);
    if (program === undefined) {
      throw new Error(missingProgram(search));
    }
    this.log.info(`${root.directory}: puppetfn ${args.join(" ")}`);
    return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, async (_, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      const result = await run(program, args, { cwd: root.directory, signal: stop.signal }).catch((error: unknown) => {
        if (stop.signal.aborted) {
          return undefined;
        }
        throw error;
      });
      if (result !== undefined && result.stderr !== "") {
        this.log.info(result.stderr.trimEnd());
      }
      return result;
    });
  }

  private async showTrace(resource: string, node: string, text: string, directory: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: TRACE_SCHEME, path: `/${node}/${resource.replaceAll("/", "∕")}` });
    this.traces.set(uri.toString(), { text, directory });
    this.traceChanges.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), {
      viewColumn: vscode.ViewColumn.Beside,
      preview: true
    });
  }

  private links(document: vscode.TextDocument): vscode.DocumentLink[] {
    const directory = this.traces.get(document.uri.toString())?.directory ?? "/";
    return tracePlaces(document.getText(), directory).map(({ line, start, end, file, at }) => {
      const target = vscode.Uri.file(file).with({ fragment: `L${at}` });
      return new vscode.DocumentLink(new vscode.Range(line, start, line, end), target);
    });
  }

  private async guarded(command: () => Promise<void>): Promise<void> {
    try {
      await command();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.log.error(message);
      const chosen = await vscode.window.showErrorMessage(message.split("\n", 3).join(" "), "Show Logs");
      if (chosen !== undefined) {
        this.log.show();
      }
    }
  }
}
