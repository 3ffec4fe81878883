// Draws the pictures of the documents from real output, with a headless Chromium: npm run pictures
//
// vscode-manifest.png is a manifest with the scopes of our grammar in the colours of the editor's dark theme, and the findings of
// `puppetfn check`; vscode-graph.png is the page of `puppetfn graph` as the extension shows it. Neither is a screenshot of the editor.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const checkout = resolve("../..");
const command = JSON.parse(process.env.PUPPETFN_COMMAND ?? JSON.stringify(["ruby", "-I", `${checkout}/lib`, `${checkout}/exe/puppetfn`]));
const directory = mkdtempSync(join(tmpdir(), "puppetfn-pictures-"));

const MANIFEST = `# Serves pages.
#
# @param port
#   The port of the server
# @param sites
#   Names of virtual hosts
class web (
  Integer[1, 65535] $port = 80,
  Array[String[1]] $sites = [],
) {
  package { 'nginx': ensure => installed }

  file { '/etc/nginx/nginx.conf':
    ensrue  => file,
    content => epp('web/nginx.conf.epp', { 'port' => $port }),
    require => Package['nginx'],
  }

  $sites.each |String $site| {
    file { "/etc/nginx/sites/\${site}.conf":
      content => "server { listen \${port}; server_name \${site.downcase}; }\\n",
      mode    => '0644',
    }
  }

  service { 'nginx':
    ensure    => running,
    subscribe => File['/etc/nginx/nginx.conf'],
  }
}
`;
const COLORS = [
  [/^comment.*keyword|directive/, "#569cd6"],
  [/^comment.*variable/, "#9cdcfe"],
  [/^comment/, "#6a9955"],
  [/variable/, "#9cdcfe"],
  [/string\.unquoted\.bareword/, "#ce9178"],
  [/string/, "#ce9178"],
  [/keyword\.control/, "#c586c0"],
  [/storage|constant\.language/, "#569cd6"],
  [/entity\.name\.function|support\.function/, "#dcdcaa"],
  [/entity\.name\.type|support\.type/, "#4ec9b0"],
  [/entity\.other\.attribute-name/, "#9cdcfe"],
  [/constant\.numeric/, "#b5cea8"]
];

function run(args) {
  const result = spawnSync(command[0], [...command.slice(1), ...args], { encoding: "utf8", cwd: directory });
  // Findings are status 1.
  if (result.error || result.status > 1 || result.stdout === "") {
    throw result.error ?? new Error(result.stderr);
  }
  return result.stdout;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

async function highlighted() {
  await oniguruma.loadWASM(readFileSync(createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm")));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text)
    }),
    loadGrammar: async () => textmate.parseRawGrammar(readFileSync("syntaxes/puppet.tmLanguage.json", "utf8"), "puppet.json")
  });
  const grammar = await registry.loadGrammar("source.puppet");
  let state = textmate.INITIAL;
  return MANIFEST.trimEnd()
    .split("\n")
    .map((line) => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      return tokens.map((token) => {
        const scope = token.scopes.slice(1).join(" ");
        const inner = token.scopes.at(-1);
        const color =
          COLORS.find(([pattern]) => pattern.test(inner))?.[1] ?? COLORS.find(([pattern]) => pattern.test(scope))?.[1] ?? "#d4d4d4";
        return { text: line.slice(token.startIndex, token.endIndex), start: token.startIndex, color };
      });
    });
}

async function manifestPage() {
  mkdirSync(join(directory, "web/manifests"), { recursive: true });
  writeFileSync(join(directory, "web/manifests/init.pp"), MANIFEST);
  const findings = JSON.parse(run(["check", "web", "--format", "json"]));
  const lines = (await highlighted()).map((tokens, at) => {
    const here = findings.filter((one) => one.line === at + 1);
    const spans = tokens.map(({ text, start, color }) => {
      const isWrong = here.some((one) => start + 1 >= one.column && start + 1 < (one.end_column ?? one.column + 1));
      return `<span style="color:${color}"${isWrong ? ' class="wrong"' : ""}>${escaped(text)}</span>`;
    });
    const notes = here.map((one) => `<span class="note">${escaped(`${one.message} (${one.rule})`)}</span>`);
    return `<div><i>${at + 1}</i>${spans.join("")}${notes.join("")}</div>`;
  });
  return `<meta charset="utf-8"><style>
    body { margin: 0; background: #1f1f1f; color: #d4d4d4; font: 14px/20px "DejaVu Sans Mono", monospace; padding: 12px 0; white-space: pre }
    i { display: inline-block; width: 3em; padding-right: 1.5em; text-align: right; color: #6e7681; font-style: normal }
    .wrong { text-decoration: underline wavy #f14c4c; text-underline-offset: 3px }
    .note { color: #f48771; padding-left: 2em; font-style: italic }
  </style>${lines.join("")}`;
}

async function graphPage() {
  const bundle = join(directory, "page.mjs");
  await build({ entryPoints: ["src/catalogs/page.ts"], outfile: bundle, bundle: true, format: "esm" });
  const { webviewPage } = await import(pathToFileURL(bundle).href);
  const repository = join(checkout, "spec/control_repository");
  const args = ["graph", "web1.example.com", "--environment", repository, "--facts", join(repository, "facts/web1.example.com.json")];
  args.push("--environment-name", "production", "--enc", join(repository, "scripts/classifier.sh"), "--no-config-version");
  return webviewPage(run([...args, "--around", "Service[nginx]", "--depth", "2", "--format", "html"]), "dark");
}

function draw(page, file, size) {
  const html = join(directory, "page.html");
  writeFileSync(html, page);
  const options = ["--headless", "--no-sandbox", "--hide-scrollbars", "--force-device-scale-factor=1", `--window-size=${size}`];
  execFileSync("chromium", [...options, `--screenshot=${file}`, pathToFileURL(html).href], { stdio: "ignore" });
}

draw(await manifestPage(), join(checkout, "docs/images/vscode-manifest.png"), "1180,624");
draw(await graphPage(), join(checkout, "docs/images/vscode-graph.png"), "1180,620");
rmSync(directory, { recursive: true });
