// Reads coverage reports in the format of lcov.

import { resolve } from "node:path";

/** The coverage of a line with code. */
export interface LineCoverage {
  readonly line: number;
  readonly count: number;
}

/** The coverage of one branch of a line; the count is 0 for a branch that was never reached. */
export interface BranchCount extends LineCoverage {
  readonly branch: number;
}

/** The coverage of a function, a class or a defined type. */
export interface DefinitionCoverage extends LineCoverage {
  readonly name: string;
}

/** The coverage of a file. */
export interface FileCounts {
  readonly file: string;
  readonly lines: readonly LineCoverage[];
  readonly branches: readonly BranchCount[];
  readonly definitions: readonly DefinitionCoverage[];
}

/** Reads a report of a run in a directory, which its paths are relative to. */
export function readLcov(text: string, directory: string): FileCounts[] {
  const files: FileCounts[] = [];
  let lines: LineCoverage[] = [];
  let branches: BranchCount[] = [];
  let definitions = new Map<string, DefinitionCoverage>();
  let file = "";
  for (const record of text.split(/\r?\n/)) {
    const colon = record.indexOf(":");
    const [kind, value] = colon < 0 ? [record, ""] : [record.slice(0, colon), record.slice(colon + 1)];
    const fields = value.split(",");
    const number = (at: number): number => Number(fields[at] ?? 0) || 0;
    switch (kind) {
      case "SF":
        [file, lines, branches, definitions] = [resolve(directory, value), [], [], new Map()];
        break;
      case "DA":
        lines.push({ line: number(0), count: number(1) });
        break;
      case "BRDA":
        branches.push({ line: number(0), branch: number(2), count: number(3) });
        break;
      case "FN":
        definitions.set(fields.slice(1).join(","), { name: fields.slice(1).join(","), line: number(0), count: 0 });
        break;
      case "FNDA": {
        const name = fields.slice(1).join(",");
        const known = definitions.get(name);
        if (known !== undefined) {
          definitions.set(name, { ...known, count: number(0) });
        }
        break;
      }
      case "end_of_record":
        files.push({ file, lines, branches, definitions: [...definitions.values()] });
        break;
    }
  }
  return files;
}
