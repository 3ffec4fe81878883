// Shows the pages of puppetfn in the editor.

/** The theme of the editor. */
export type Theme = "light" | "dark";

/**
 * Returns a page of `puppetfn graph` or `diff` for a webview: without access to the network, and with the colours of the
 * editor's theme. The pages choose colours by `prefers-color-scheme`, which in a webview is the theme of the system.
 */
export function webviewPage(page: string, theme: Theme): string {
  // Pages have their style and script inline. Their own policy names digests, which the changed style does not have.
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}"><style>body { padding: 0 }</style>`;
  return page
    .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/i, "")
    .replace(/(<meta charset="utf-8">)/i, `$1${head}`)
    .replace(/(<meta name="color-scheme" content=")[^"]*"/i, `$1${theme}"`)
    .replaceAll("color-scheme: light dark", `color-scheme: ${theme}`)
    .replaceAll(/@media \(prefers-color-scheme: (light|dark)\)/g, (_, wanted) => `@media ${wanted === theme ? "all" : "not all"}`);
}
