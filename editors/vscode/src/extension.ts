// The extension: starts the language server and registers the commands, tests and tasks.

import * as vscode from "vscode";
import { CatalogCommands } from "./catalogs/commands";
import { Debugging } from "./debugging";
import { registerMenu } from "./menu";
import { registerReferences } from "./references";
import { Server, type ServerState } from "./server";
import { registerSpecs } from "./specs";
import { Status } from "./status";
import { PuppetTasks } from "./tasks";
import { Explorer } from "./testing/explorer";

let server: Server | undefined;

/** Starts the extension. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("Puppet", { log: true });
  const started = new Server(context.extensionPath, log);
  server = started;
  const status = new Status();
  const show = (state: ServerState): void => {
    status.show(state);
    void vscode.commands.executeCommand("setContext", "puppetfn.running", state.kind === "running");
  };
  context.subscriptions.push(
    log,
    status,
    started.onChange(show),
    registerReferences(),
    registerMenu(() => started.state, log),
    vscode.commands.registerCommand("puppetfn.restart", () => started.restart()),
    vscode.tasks.registerTaskProvider("puppetfn", new PuppetTasks(context.extensionPath)),
    vscode.workspace.onDidChangeConfiguration((event) => Server.isAffected(event) && started.restart())
  );
  const registerTrusted = (): void => {
    const explorer = new Explorer(context.extensionPath, log);
    context.subscriptions.push(
      explorer,
      registerSpecs(explorer),
      new CatalogCommands(context.extensionPath, log, started),
      new Debugging(context.extensionPath).register()
    );
  };
  // Specs and catalogs run code of the workspace.
  if (vscode.workspace.isTrusted) {
    registerTrusted();
  } else {
    context.subscriptions.push(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        registerTrusted();
        void started.restart();
      })
    );
  }
  await started.restart();
}

/** Stops the server. */
export async function deactivate(): Promise<void> {
  await server?.dispose();
}
