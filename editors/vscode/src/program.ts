// Finds the program `puppetfn`.

import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";

/** A command that starts puppetfn, and its origin. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly origin: "setting" | "bundler" | "extension" | "PATH";
}

/** The inputs of a search. */
export interface ProgramSearch {
  /** The setting `puppetfn.path`. */
  readonly path: string;
  /** The setting `puppetfn.useBundler`. */
  readonly useBundler: boolean;
  /** The directory of the extension, whose `bin` may have the program. */
  readonly extensionPath: string;
  /** The folder of the workspace. */
  readonly folder: string | undefined;
  /** False in a workspace that the user does not trust: its settings name no programs. */
  readonly isTrusted: boolean;
  /**
   * Whether the command needs Ruby, as `test` does, or does more with it, as catalogs do with functions of modules. The program of
   * the extension has none.
   */
  readonly ruby?: "needed" | "preferred";
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly isExecutable?: (file: string) => boolean;
}

/** Returns the program: of the settings, or else of the extension, or else on PATH. */
export function findProgram(search: ProgramSearch): Program | undefined {
  const isExecutable = search.isExecutable ?? isExecutableFile;
  if (search.isTrusted && search.path !== "") {
    const command = expand(search.path, search.folder);
    return isExecutable(command) ? { command, args: [], origin: "setting" } : undefined;
  }
  if (search.isTrusted && search.useBundler) {
    const command = onPath("bundle", search, isExecutable);
    return command === undefined ? undefined : { command, args: ["exec", "puppetfn"], origin: "bundler" };
  }
  const command = join(search.extensionPath, "bin", search.platform === "win32" ? "puppetfn.exe" : "puppetfn");
  const carried: Program | undefined = isExecutable(command) ? { command, args: [], origin: "extension" } : undefined;
  const found = onPath("puppetfn", search, isExecutable);
  const installed: Program | undefined = found === undefined ? undefined : { command: found, args: [], origin: "PATH" };
  switch (search.ruby) {
    case "needed":
      return installed;
    case "preferred":
      return installed ?? carried;
    default:
      return carried ?? installed;
  }
}

/** Returns the reason why no program was found, and the remedy. */
export function missingProgram(search: ProgramSearch): string {
  if (search.isTrusted && search.path !== "") {
    return `puppetfn.path is not a program: ${expand(search.path, search.folder)}`;
  }
  if (search.isTrusted && search.useBundler) {
    return "puppetfn.useBundler is set, but the command bundle is not on PATH";
  }
  if (search.ruby === "needed") {
    return "Specs need the gem puppetfn: install it, or set puppetfn.path or puppetfn.useBundler";
  }
  return "The program puppetfn is not on PATH: install it, or set puppetfn.path";
}

/** Replaces `~` and `${workspaceFolder}` in the path of a program. */
export function expand(path: string, folder: string | undefined): string {
  const home = path === "~" || path.startsWith("~/") ? homedir() + path.slice(1) : path;
  const expanded = home.replaceAll("${workspaceFolder}", folder ?? "");
  return folder === undefined ? resolve(expanded) : resolve(folder, expanded);
}

function onPath(name: string, search: ProgramSearch, isExecutable: (file: string) => boolean): string | undefined {
  // RubyGems installs commands as .bat on Windows.
  const names = search.platform === "win32" ? [`${name}.exe`, `${name}.bat`, `${name}.cmd`] : [name];
  const path = search.env.PATH ?? search.env.Path ?? "";
  // A relative entry of PATH would take programs from the workspace.
  const directories = path.split(delimiter).filter((directory) => directory.startsWith("/") || /^[A-Za-z]:[\\/]/.test(directory));
  return directories.flatMap((directory) => names.map((one) => join(directory, one))).find(isExecutable);
}

function isExecutableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
