// The program that is tested: PUPPETFN_COMMAND, a JSON array, or the command of the checkout.

import { resolve } from "node:path";
import type { Program } from "../../src/program";
import { type CommandResult, run } from "../../src/run";

const CHECKOUT = resolve("../..");
const [first = "ruby", ...rest] = JSON.parse(
  process.env.PUPPETFN_COMMAND ?? JSON.stringify(["ruby", "-I", `${CHECKOUT}/lib`, `${CHECKOUT}/exe/puppetfn`])
) as string[];

export const program: Program = { command: first, args: rest, origin: "setting" };

/** Runs a command of the program. */
export function command(args: string[], cwd: string): Promise<CommandResult> {
  return run(program, args, { cwd });
}
