// Tasks: `puppetfn check`, `lint`, `fmt` and `test` of each folder.

import * as vscode from "vscode";
import { findProgram, type ProgramSearch } from "./program";
import { programSearch } from "./settings";

/** The definition of a task in tasks.json. */
export interface PuppetTask extends vscode.TaskDefinition {
  readonly type: "puppetfn";
  readonly command: string;
  readonly args?: readonly string[];
}

/** Commands with a task of their own, and their problem matchers. */
const COMMANDS: Record<string, readonly string[]> = {
  check: ["$puppetfn-check"],
  lint: ["$puppetfn-check"],
  fmt: [],
  test: ["$puppetfn-test"]
};

/** Provides the tasks. */
export class PuppetTasks implements vscode.TaskProvider {
  constructor(private readonly extensionPath: string) {}

  provideTasks(): vscode.Task[] {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return folders.flatMap((folder) =>
      Object.keys(COMMANDS).flatMap((command) => this.task({ type: "puppetfn", command, args: defaultArguments(command) }, folder) ?? [])
    );
  }

  resolveTask(task: vscode.Task): vscode.Task | undefined {
    const definition = task.definition as PuppetTask;
    const scope = task.scope;
    const folder = typeof scope === "object" ? scope : vscode.workspace.workspaceFolders?.[0];
    return folder && this.task(definition, folder);
  }

  private task(definition: PuppetTask, folder: vscode.WorkspaceFolder): vscode.Task | undefined {
    const search = programSearch(this.extensionPath, folder.uri, definition.command === "test" ? "needed" : undefined);
    const execution = taskExecution(definition, search, folder.uri.fsPath);
    if (execution === undefined) {
      return undefined;
    }
    const task = new vscode.Task(definition, folder, definition.command, "puppetfn", execution, [...(COMMANDS[definition.command] ?? [])]);
    task.group = definition.command === "test" ? vscode.TaskGroup.Test : vscode.TaskGroup.Build;
    task.presentationOptions = { clear: true };
    return task;
  }
}

/** Returns the process of a task; undefined without a program. */
export function taskExecution(definition: PuppetTask, search: ProgramSearch, cwd: string): vscode.ProcessExecution | undefined {
  const program = findProgram(search);
  if (program === undefined) {
    return undefined;
  }
  // Problem matchers read plain text.
  const env = { NO_COLOR: "1" };
  return new vscode.ProcessExecution(program.command, [...program.args, definition.command, ...(definition.args ?? [])], { cwd, env });
}

function defaultArguments(command: string): string[] {
  return command === "fmt" ? ["."] : [];
}
