// Converts the code lens of the server to the classes that the editor's commands require.

import * as vscode from "vscode";

/** The command of this extension that shows references. */
export const SHOW_REFERENCES = "puppetfn.showReferences";
/** The editor's command, which the server names. Its arguments have to be instances of classes of the editor. */
const EDITOR_COMMAND = "editor.action.showReferences";

/** A position in the protocol's form. */
export interface ProtocolPosition {
  readonly line: number;
  readonly character: number;
}

/** A location in the protocol's form. */
export interface ProtocolLocation {
  readonly uri: string;
  readonly range: { readonly start: ProtocolPosition; readonly end: ProtocolPosition };
}

/** Arguments of the editor's command. */
export type ReferencesArguments = [vscode.Uri, vscode.Position, vscode.Location[]];

/** Converts the arguments of a code lens. */
export function referencesArguments(uri: string, at: ProtocolPosition, locations: readonly ProtocolLocation[]): ReferencesArguments {
  return [vscode.Uri.parse(uri), position(at), locations.map(location)];
}

/** Makes the code lenses of the server run the command of this extension, which converts their arguments. */
export function redirected(lenses: vscode.CodeLens[] | null | undefined): vscode.CodeLens[] {
  return (lenses ?? []).map((lens) => {
    if (lens.command?.command !== EDITOR_COMMAND) {
      return lens;
    }
    return new vscode.CodeLens(lens.range, { ...lens.command, command: SHOW_REFERENCES });
  });
}

/** Registers the command. */
export function registerReferences(): vscode.Disposable {
  return vscode.commands.registerCommand(SHOW_REFERENCES, (uri: string, at: ProtocolPosition, locations: ProtocolLocation[]) =>
    vscode.commands.executeCommand(EDITOR_COMMAND, ...referencesArguments(uri, at, locations))
  );
}

function position(at: ProtocolPosition): vscode.Position {
  return new vscode.Position(at.line, at.character);
}

function location(one: ProtocolLocation): vscode.Location {
  return new vscode.Location(vscode.Uri.parse(one.uri), new vscode.Range(position(one.range.start), position(one.range.end)));
}
