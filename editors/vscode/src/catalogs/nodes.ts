// The inputs of a node's catalog: its facts, and the environment or module with the code.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, delimiter, dirname, extname, join, resolve } from "node:path";
import { moduleName } from "../testing/places";

/** A node with a file of facts. */
export interface NodeFacts {
  readonly name: string;
  readonly file: string;
}

/** The code that catalogs are compiled from. */
export type CodeRoot =
  | { readonly kind: "environment"; readonly directory: string }
  | { readonly kind: "module"; readonly directory: string };

/** Settings of catalogs. */
export interface CatalogSettings {
  readonly facts: string;
  readonly classifier: string;
  readonly catalogArguments: readonly string[];
}

/** Returns the environment around a file, or else its module. The search ends at a folder of the workspace. */
export function codeRoot(file: string, folder: string | undefined): CodeRoot | undefined {
  let module: string | undefined;
  for (let directory = dirname(file); ; directory = dirname(directory)) {
    if (existsSync(join(directory, "environment.conf"))) {
      return { kind: "environment", directory };
    }
    if (module === undefined && existsSync(join(directory, "metadata.json"))) {
      module = directory;
    }
    if (directory === folder || directory === dirname(directory)) {
      return module === undefined ? undefined : { kind: "module", directory: module };
    }
  }
}

/** Returns the nodes of a directory of facts, in the order of their names. */
export function nodesOf(root: string, facts: string): NodeFacts[] {
  const directory = resolve(root, facts);
  try {
    return readdirSync(directory)
      .filter((name) => /\.(json|ya?ml)$/.test(name))
      .map((name) => ({ name: basename(name, extname(name)), file: join(directory, name) }))
      .sort((one, other) => one.name.localeCompare(other.name));
  } catch {
    return [];
  }
}

/** Returns the arguments that name code and facts for `puppetfn graph` and `why`. */
export function catalogArguments(root: CodeRoot, settings: CatalogSettings, facts?: string, definition?: string): string[] {
  const args =
    root.kind === "environment"
      ? ["--environment", root.directory]
      : ["--modulepath", modulepath(root.directory).join(delimiter), ...(definition === undefined ? [] : ["--classes", definition])];
  if (facts !== undefined) {
    args.push("--facts", facts);
  }
  if (settings.classifier !== "") {
    args.push("--enc", resolve(root.directory, settings.classifier));
  }
  return [...args, ...settings.catalogArguments];
}

/** Returns the arguments of a diff of all nodes of an environment. */
export function diffArguments(root: CodeRoot, settings: CatalogSettings, base: string): string[] {
  const args = ["diff", base, ".", "--nodes", settings.facts];
  if (settings.classifier !== "") {
    args.push("--enc", resolve(root.directory, settings.classifier));
  }
  return [...args, "--format", "html", ...settings.catalogArguments];
}

/** Returns the name of the first class in a manifest. */
export function firstClass(text: string): string | undefined {
  return /^\s*class\s+((?:::)?[a-z]\w*(?:::[a-z]\w*)*)/m.exec(text)?.[1];
}

/** Returns the modulepath of a module: the modules of its fixtures, and the directory around it if its name allows it. */
function modulepath(directory: string): string[] {
  const fixtures = join(directory, "spec", "fixtures", "modules");
  const isNamed = declaredName(directory) === basename(directory);
  return [...(isNamed ? [dirname(directory)] : []), ...(existsSync(fixtures) ? [fixtures] : [])];
}

function declaredName(directory: string): string {
  try {
    const metadata = JSON.parse(readFileSync(join(directory, "metadata.json"), "utf8")) as { name?: string };
    return (metadata.name ?? "").replace(/^.*[-/]/, "");
  } catch {
    return moduleName(directory);
  }
}
