// The status bar: the state of the server, and the number of errors.

import * as vscode from "vscode";
import type { ServerState } from "./server";

/** The text of the status bar item. */
export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  readonly isProblem: boolean;
}

/** Returns the text for a state of the server and a number of errors in the workspace. */
export function statusText(state: ServerState, errors: number): StatusText {
  switch (state.kind) {
    case "starting":
      return { text: "$(loading~spin) Puppet", tooltip: "puppetfn is starting", isProblem: false };
    case "running": {
      const count = errors === 0 ? "" : ` $(error) ${errors}`;
      const found = errors === 0 ? "no errors" : errors === 1 ? "1 error" : `${errors} errors`;
      const tooltip = `puppetfn ${state.version}, ${found}\n${state.program.command} (${state.program.origin})`;
      return { text: `$(check) Puppet ${state.version}${count}`, tooltip, isProblem: false };
    }
    case "stopped":
      return { text: "$(circle-slash) Puppet", tooltip: "puppetfn is stopped", isProblem: false };
    case "failed":
      return { text: "$(warning) Puppet", tooltip: state.reason, isProblem: true };
  }
}

/** The status bar item, which opens the menu. */
export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("puppetfn.status", vscode.StatusBarAlignment.Right, 90);
  private readonly listener = vscode.languages.onDidChangeDiagnostics(() => this.update());
  private state: ServerState = { kind: "stopped" };

  constructor() {
    this.item.name = "Puppet";
    this.item.command = "puppetfn.menu";
    this.item.show();
  }

  show(state: ServerState): void {
    this.state = state;
    this.update();
  }

  dispose(): void {
    this.listener.dispose();
    this.item.dispose();
  }

  private update(): void {
    const { text, tooltip, isProblem } = statusText(this.state, errorCount());
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.backgroundColor = isProblem ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
  }
}

function errorCount(): number {
  const all = vscode.languages.getDiagnostics().flatMap(([, diagnostics]) => diagnostics);
  return all.filter((one) => one.source === "puppetfn" && one.severity === vscode.DiagnosticSeverity.Error).length;
}
