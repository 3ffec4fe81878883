// The panels with pages of puppetfn, one for each kind.

import * as vscode from "vscode";
import { webviewPage } from "./page";

/** The open panels. */
export class Pages implements vscode.Disposable {
  private readonly panels = new Map<string, { readonly panel: vscode.WebviewPanel; page: string }>();
  private readonly listener = vscode.window.onDidChangeActiveColorTheme(() => this.draw());

  /** Shows a page in the panel of its kind. */
  show(kind: string, title: string, page: string): void {
    const open = this.panels.get(kind);
    if (open === undefined) {
      this.panels.set(kind, { panel: this.create(kind, title), page });
    } else {
      open.page = page;
      open.panel.title = title;
      open.panel.reveal(undefined, true);
    }
    this.draw();
  }

  dispose(): void {
    this.listener.dispose();
    this.panels.forEach(({ panel }) => {
      panel.dispose();
    });
  }

  private create(kind: string, title: string): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel(kind, title, vscode.ViewColumn.Beside, {
      enableScripts: true,
      enableFindWidget: true,
      retainContextWhenHidden: true,
      localResourceRoots: []
    });
    panel.onDidDispose(() => this.panels.delete(kind));
    return panel;
  }

  private draw(): void {
    const { Light, HighContrastLight } = vscode.ColorThemeKind;
    const { kind } = vscode.window.activeColorTheme;
    const theme = kind === Light || kind === HighContrastLight ? "light" : "dark";
    this.panels.forEach(({ panel, page }) => {
      panel.webview.html = webviewPage(page, theme);
    });
  }
}
