// The debugger: starts `puppetfn dap`, and completes configurations.

import { basename } from "node:path";
import * as vscode from "vscode";
import { catalogArguments, codeRoot, firstClass, nodesOf } from "./catalogs/nodes";
import { findProgram, missingProgram } from "./program";
import { folderSettings, programSearch } from "./settings";
import { projectOf } from "./testing/places";

/** The type of the debugger in configurations. */
export const DEBUGGER = "puppetfn";

/** Starts the debug adapter, and makes configurations where launch.json has none. */
export class Debugging implements vscode.DebugAdapterDescriptorFactory, vscode.DebugConfigurationProvider {
  constructor(private readonly extensionPath: string) {}

  /** Registers the debugger. */
  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.debug.registerDebugAdapterDescriptorFactory(DEBUGGER, this),
      vscode.debug.registerDebugConfigurationProvider(DEBUGGER, this)
    );
  }

  createDebugAdapterDescriptor(session: vscode.DebugSession): vscode.DebugAdapterExecutable {
    const { command, cwd } = session.configuration;
    const scope = session.workspaceFolder?.uri ?? (typeof cwd === "string" ? vscode.Uri.file(cwd) : undefined);
    const search = programSearch(this.extensionPath, scope, command === "test" ? "needed" : "preferred");
    const program = findProgram(search);
    if (program === undefined) {
      throw new Error(missingProgram(search));
    }
    const options = typeof cwd === "string" ? { cwd } : {};
    return new vscode.DebugAdapterExecutable(program.command, [...program.args, "dap"], options);
  }

  /** Completes a configuration. Without launch.json, it is made for the open file. */
  async resolveDebugConfiguration(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration
  ): Promise<vscode.DebugConfiguration | undefined> {
    if (configuration.type !== undefined && configuration.command !== undefined) {
      return { cwd: folder?.uri.fsPath, ...configuration };
    }
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) {
      void vscode.window.showInformationMessage("Open a manifest or a spec file to debug it, or add a configuration to launch.json.");
      return undefined;
    }
    const file = editor.document.uri.fsPath;
    if (file.endsWith("_spec.rb")) {
      return specConfiguration(file, editor.selection.active.line + 1);
    }
    return await catalogConfiguration(editor.document, folder);
  }
}

/** Returns a configuration that debugs the example at a line of a spec file, or all its examples. */
export function specConfiguration(file: string, line?: number): vscode.DebugConfiguration {
  const target = line === undefined ? file : `${file}:${line}`;
  return {
    type: DEBUGGER,
    request: "launch",
    name: `Specs of ${basename(file)}`,
    command: "test",
    args: [target, ...folderSettings(vscode.Uri.file(file)).testArguments],
    cwd: projectOf(file)
  };
}

/** Asks for the node, and returns a configuration that debugs its catalog; undefined if the user names none. */
async function catalogConfiguration(
  document: vscode.TextDocument,
  folder: vscode.WorkspaceFolder | undefined
): Promise<vscode.DebugConfiguration | undefined> {
  const root = codeRoot(document.uri.fsPath, folder?.uri.fsPath);
  if (root === undefined) {
    void vscode.window.showInformationMessage("This file is in no module or environment.");
    return undefined;
  }
  const settings = folderSettings(document.uri);
  const nodes = nodesOf(root.directory, settings.facts);
  const names = nodes.length === 0 ? ["localhost"] : nodes.map((node) => node.name);
  const name = names.length === 1 ? names[0] : await vscode.window.showQuickPick(names, { placeHolder: "The node to debug" });
  if (name === undefined) {
    return undefined;
  }
  const facts = nodes.find((node) => node.name === name)?.file;
  return {
    type: DEBUGGER,
    request: "launch",
    name: `Catalog of ${name}`,
    command: "compile",
    args: [name, ...catalogArguments(root, settings, facts, firstClass(document.getText()))],
    cwd: root.directory
  };
}
