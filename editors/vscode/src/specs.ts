// Runs the specs of the open file.

import { existsSync } from "node:fs";
import * as vscode from "vscode";
import type { Explorer } from "./testing/explorer";
import { specFilesOf } from "./testing/places";

/** Registers the command that runs the specs at the cursor, or the spec file of the open manifest. */
export function registerSpecs(explorer: Explorer): vscode.Disposable {
  return vscode.commands.registerCommand("puppetfn.runSpecs", async () => {
    const editor = vscode.window.activeTextEditor;
    const file = editor?.document.uri.fsPath ?? "";
    if (editor !== undefined && file.endsWith("_spec.rb")) {
      await explorer.runAt(editor.document.uri, editor.selection.active.line + 1);
      return;
    }
    const specs = specFilesOf(file);
    const spec = specs.find((one) => existsSync(one));
    if (spec !== undefined) {
      await explorer.runAt(vscode.Uri.file(spec));
      return;
    }
    const usual = specs[0] === undefined ? "" : `: ${vscode.workspace.asRelativePath(specs[0])} does not exist`;
    void vscode.window.showInformationMessage(`This file has no specs${usual}`);
  });
}
