// Runs commands of puppetfn and collects their output.

import { spawn } from "node:child_process";
import type { Program } from "./program";

/** The result of a command. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of a run. */
export interface RunOptions {
  readonly cwd: string;
  /** Receives each piece of both outputs as it arrives. */
  readonly onOutput?: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** Runs a command to its end. */
export function run(program: Program, args: readonly string[], options: RunOptions): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program.command, [...program.args, ...args], {
      cwd: options.cwd,
      stdio: ["ignore", "pipe", "pipe"],
      // Node.js starts batch files by the shell only.
      shell: /\.(bat|cmd)$/i.test(program.command),
      ...(options.signal === undefined ? {} : { signal: options.signal })
    });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8");
      child[name].on("data", (text: string) => {
        output[name] += text;
        options.onOutput?.(text);
      });
    }
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...output }));
  });
}

/** Returns the last lines of the error output, which say why a command failed. */
export function reason(result: CommandResult): string {
  const lines = result.stderr
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !/^(Notice|help):/.test(line));
  return lines.slice(0, 8).join("\n") || `puppetfn ended with ${result.code ?? "a signal"}`;
}
