// The editor's classes for the coverage of files.

import * as vscode from "vscode";
import { groupBy } from "../group";
import type { FileCounts } from "./lcov";

/** The coverage of a file, with the counts for its details. */
export class PuppetCoverage extends vscode.FileCoverage {
  constructor(readonly counts: FileCounts) {
    super(
      vscode.Uri.file(counts.file),
      share(counts.lines),
      counts.branches.length === 0 ? undefined : share(counts.branches),
      counts.definitions.length === 0 ? undefined : share(counts.definitions)
    );
  }
}

/** Returns the coverage of a file. */
export function coverageOf(counts: FileCounts): PuppetCoverage {
  return new PuppetCoverage(counts);
}

/** Returns the coverage of each line and definition of a file. */
export function detailsOf(counts: FileCounts): vscode.FileCoverageDetail[] {
  const branches = groupBy(counts.branches, (branch) => branch.line);
  const statements = counts.lines.map(({ line, count }) => {
    const ofLine = (branches.get(line) ?? []).map(
      (branch) => new vscode.BranchCoverage(branch.count, position(line), `branch ${branch.branch + 1}`)
    );
    return new vscode.StatementCoverage(count, wholeLine(line), ofLine);
  });
  const definitions = counts.definitions.map(({ name, line, count }) => new vscode.DeclarationCoverage(name, count, wholeLine(line)));
  return [...statements, ...definitions];
}

function share(counts: readonly { readonly count: number }[]): vscode.TestCoverageCount {
  return new vscode.TestCoverageCount(counts.filter(({ count }) => count > 0).length, counts.length);
}

function position(line: number): vscode.Position {
  return new vscode.Position(line - 1, 0);
}

function wholeLine(line: number): vscode.Range {
  return new vscode.Range(line - 1, 0, line - 1, Number.MAX_SAFE_INTEGER);
}
