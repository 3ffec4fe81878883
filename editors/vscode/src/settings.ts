// The settings of the extension.

import * as vscode from "vscode";
import type { ProgramSearch } from "./program";

/** The keys of puppetfn.toml that are settings, too: by the name of the setting, the path in the file. */
const PROJECT_SETTINGS = {
  modulepath: ["modulepath"],
  environment: ["environment"],
  exclude: ["exclude"],
  baseline: ["baseline"],
  "check.select": ["check", "select"],
  "check.ignore": ["check", "ignore"],
  rules: ["rules"]
} as const;

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

/** Returns the settings of projects, in the form of puppetfn.toml; only the ones that the user has set. */
export function projectSettings(scope?: vscode.Uri): Record<string, unknown> {
  const settings = vscode.workspace.getConfiguration("puppetfn", scope);
  const content: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(PROJECT_SETTINGS)) {
    const set = settings.inspect(name);
    const value = set?.workspaceFolderValue ?? set?.workspaceValue ?? set?.globalValue;
    // An empty text in a folder's settings hides the user's.
    if (value === undefined || value === "") {
      continue;
    }
    const [first, second] = path;
    if (second === undefined) {
      content[first] = value;
    } else {
      content[first] = { ...(content[first] as object | undefined), [second]: value };
    }
  }
  return content;
}

/** Returns the inputs of the search for the program. */
export function programSearch(extensionPath: string, scope?: vscode.Uri, ruby?: ProgramSearch["ruby"]): ProgramSearch {
  const settings = vscode.workspace.getConfiguration("puppetfn", scope);
  const folder = scope === undefined ? undefined : vscode.workspace.getWorkspaceFolder(scope);
  return {
    path: settings.get("path", ""),
    useBundler: settings.get("useBundler", false),
    extensionPath,
    folder: (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath,
    isTrusted: vscode.workspace.isTrusted,
    ...(ruby === undefined ? {} : { ruby }),
    env: process.env,
    platform: process.platform
  };
}
