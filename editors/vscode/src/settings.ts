// The settings of the extension.

import * as vscode from "vscode";
import type { ProgramSearch } from "./program";

/** Settings of a folder. */
export interface FolderSettings {
  readonly facts: string;
  readonly classifier: string;
  readonly catalogArguments: readonly string[];
  readonly diffBase: string;
  readonly testArguments: readonly string[];
  readonly testPattern: string;
  readonly showsCodeLens: boolean;
}

/** Returns the settings of the folder with a document, or of the window. */
export function folderSettings(scope?: vscode.Uri): FolderSettings {
  const settings = vscode.workspace.getConfiguration("puppetfn", scope);
  return {
    facts: settings.get("nodes.facts", "facts"),
    classifier: settings.get("nodes.classifier", ""),
    catalogArguments: settings.get("nodes.arguments", []),
    diffBase: settings.get("diff.base", "main"),
    testArguments: settings.get("test.arguments", []),
    testPattern: settings.get("test.pattern", "**/spec/**/*_spec.rb"),
    showsCodeLens: settings.get("codeLens", true)
  };
}

/** Returns the arguments `--limit NAME=NUMBER` of the language server. */
export function limitArguments(): string[] {
  const limits = vscode.workspace.getConfiguration("puppetfn").get<Record<string, number>>("limits", {});
  return Object.entries(limits).flatMap(([name, number]) => ["--limit", `${name}=${number}`]);
}

/** Returns the inputs of the search for the program. */
export function programSearch(extensionPath: string, scope?: vscode.Uri, needsRuby = false): ProgramSearch {
  const settings = vscode.workspace.getConfiguration("puppetfn", scope);
  const folder = scope === undefined ? undefined : vscode.workspace.getWorkspaceFolder(scope);
  return {
    path: settings.get("path", ""),
    useBundler: settings.get("useBundler", false),
    extensionPath,
    folder: (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath,
    isTrusted: vscode.workspace.isTrusted,
    needsRuby,
    env: process.env,
    platform: process.platform
  };
}
