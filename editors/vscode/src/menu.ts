// The menu of the status bar item.

import * as vscode from "vscode";
import type { ServerState } from "./server";

/** The address of the documents. */
const DOCUMENTS = "https://github.com/puppetfn/puppetfn/blob/main/docs/editors.md";

interface MenuItem extends vscode.QuickPickItem {
  readonly command: string;
}

/** Returns the items of the menu for a state of the server. Without trust, the commands that run code do not exist. */
export function menuItems(state: ServerState, isTrusted: boolean): MenuItem[] {
  const start = state.kind === "running" || state.kind === "starting" ? "Restart" : "Start";
  const running: MenuItem[] = [
    { label: "$(beaker) Run the specs at the cursor", command: "puppetfn.runSpecs" },
    { label: "$(type-hierarchy) Show the graph of a catalog", command: "puppetfn.showGraph" },
    { label: "$(question) Explain the resource at the cursor", command: "puppetfn.why" },
    { label: "$(diff) Compare the catalogs of all nodes with main", command: "puppetfn.diff" }
  ];
  return [
    ...(isTrusted ? running : []),
    { label: `$(debug-restart) ${start} the language server`, description: stateText(state), command: "puppetfn.restart" },
    { label: "$(output) Show logs", command: "puppetfn.showLogs" },
    { label: "$(gear) Open the settings", command: "puppetfn.openSettings" },
    { label: "$(book) Open the documentation", command: "puppetfn.openDocs" }
  ];
}

/** Registers the menu and its commands that need nothing else. */
export function registerMenu(state: () => ServerState, log: vscode.LogOutputChannel): vscode.Disposable {
  const { registerCommand, executeCommand } = vscode.commands;
  return vscode.Disposable.from(
    registerCommand("puppetfn.menu", async () => {
      const chosen = await vscode.window.showQuickPick(menuItems(state(), vscode.workspace.isTrusted), { title: "Puppet" });
      await (chosen && executeCommand(chosen.command));
    }),
    registerCommand("puppetfn.showLogs", () => log.show()),
    registerCommand("puppetfn.openSettings", () => executeCommand("workbench.action.openSettings", "puppetfn.")),
    registerCommand("puppetfn.openDocs", () => vscode.env.openExternal(vscode.Uri.parse(DOCUMENTS)))
  );
}

function stateText(state: ServerState): string {
  switch (state.kind) {
    case "running":
      return `${state.version} is running`;
    case "failed":
      return state.reason;
    default:
      return state.kind;
  }
}
