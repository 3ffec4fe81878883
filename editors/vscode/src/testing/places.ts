// Where specs are: the project of a spec file, and the spec file of a manifest.

import { existsSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";

/** Returns the directory that contains `spec` for a spec file: its project. */
export function projectOf(specFile: string): string {
  const parts = specFile.split(sep);
  const at = parts.lastIndexOf("spec");
  return at < 1 ? dirname(specFile) : parts.slice(0, at).join(sep) || sep;
}

/** Returns the module around a file: the nearest directory with a metadata.json, or with manifests. */
export function moduleOf(file: string, exists: (path: string) => boolean = existsSync): string | undefined {
  for (let directory = dirname(file); directory !== dirname(directory); directory = dirname(directory)) {
    if (exists(join(directory, "metadata.json")) || exists(join(directory, "manifests"))) {
      return directory;
    }
  }
  return undefined;
}

/** Returns the paths of a definition's spec file, the most usual first. */
export function specFilesOf(file: string, exists: (path: string) => boolean = existsSync): string[] {
  const root = moduleOf(file, exists);
  if (root === undefined) {
    return [];
  }
  const name = moduleName(root);
  const [first = "", ...rest] = relative(root, file).split(sep);
  const path = rest.join("/").replace(/\.(pp|rb)$/, "");
  const spec = (directory: string, stem: string): string => join(root, "spec", directory, `${stem}_spec.rb`);
  switch (first) {
    case "manifests": {
      const stem = path === "init" ? name : path;
      return ["classes", "defines", "hosts"].flatMap((directory) => [spec(directory, stem), spec(directory, `${name}/${stem}`)]);
    }
    case "functions":
      return [spec("functions", path), spec("functions", `${name}/${path}`)];
    case "types":
      return [spec("type_aliases", path), spec("aliases", path), spec("types", path)];
    case "lib": {
      const stem = path.replace(/^puppet\/functions\/([^/]+\/)?/, "");
      return [spec("functions", stem), spec("functions", `${name}/${stem}`)];
    }
    default:
      return [];
  }
}

/** Returns the name of a module from its directory, which may be `puppetlabs-ntp`. */
export function moduleName(root: string): string {
  return basename(root).replace(/^.*-/, "");
}
