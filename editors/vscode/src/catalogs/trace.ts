// The text of `puppetfn why`, and the places that it names.

import { isAbsolute, resolve } from "node:path";

/** A place in a trace. */
export interface TracePlace {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly file: string;
  /** The line in the file, counted from 1. */
  readonly at: number;
}

/** Finds the places `FILE:LINE` in the text of a trace. Relative paths are relative to a directory. */
export function tracePlaces(text: string, directory: string): TracePlace[] {
  return text.split("\n").flatMap((content, line) =>
    [...content.matchAll(/(?<=\bat |\bat: |, defined at |, declared at )(\S+\.(?:pp|epp|rb|ya?ml|json)):(\d+)/g)].map((match) => {
      const [found, path = "", at = "1"] = match;
      return {
        line,
        start: match.index,
        end: match.index + found.length,
        file: isAbsolute(path) ? path : resolve(directory, path),
        at: Number(at)
      };
    })
  );
}
