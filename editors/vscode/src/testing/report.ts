// Reads the reports of RSpec's JSON formatter.

import { isAbsolute, relative, resolve } from "node:path";

/** The outcome of an example. */
export interface ExampleResult {
  /** RSpec's identifier, which runs just this example: `./spec/classes/a_spec.rb[1:2:1]`. */
  readonly id: string;
  readonly description: string;
  readonly fullDescription: string;
  readonly status: "passed" | "failed" | "pending";
  /** The spec file that was run, absolute. */
  readonly specFile: string;
  /** The file with the code of the example, absolute: another one for shared examples. */
  readonly file: string;
  readonly line: number;
  readonly milliseconds: number;
  readonly pendingMessage: string | undefined;
  readonly failure: ExampleFailure | undefined;
}

/** The failure of an example. */
export interface ExampleFailure {
  readonly message: string;
  /** The innermost line of the module's own files in the backtrace, or of the manifest that the message names. */
  readonly file: string;
  readonly line: number;
}

/** A report. */
export interface TestReport {
  readonly examples: readonly ExampleResult[];
  /** Errors outside of examples, such as files that cannot be loaded. */
  readonly messages: readonly string[];
}

interface JsonExample {
  readonly id: string;
  readonly description: string;
  readonly full_description: string;
  readonly status: ExampleResult["status"];
  readonly file_path: string;
  readonly line_number: number;
  readonly run_time: number | null;
  readonly pending_message: string | null;
  readonly exception?: { readonly class: string; readonly message: string; readonly backtrace: string[] | null };
}

interface JsonReport {
  readonly examples?: JsonExample[];
  readonly messages?: string[];
}

/**
 * Reads a report of a run in a directory.
 *
 * @throws SyntaxError if the text is not JSON
 */
export function readReport(text: string, directory: string): TestReport {
  const report = JSON.parse(text) as JsonReport;
  return { examples: (report.examples ?? []).map((example) => read(example, directory)), messages: report.messages ?? [] };
}

function read(example: JsonExample, directory: string): ExampleResult {
  const specFile = resolve(directory, example.id.replace(/\[[\d:]+\]$/, ""));
  const file = resolve(directory, example.file_path);
  return {
    id: example.id,
    description: example.description,
    fullDescription: example.full_description,
    status: example.status,
    specFile,
    file,
    line: example.line_number,
    milliseconds: (example.run_time ?? 0) * 1000,
    pendingMessage: example.pending_message ?? undefined,
    failure: example.exception && failure(example.exception, directory, file, example.line_number)
  };
}

function failure(exception: NonNullable<JsonExample["exception"]>, directory: string, file: string, line: number): ExampleFailure {
  const frames = (exception.backtrace ?? []).flatMap((frame) => {
    const [, path, number] = /^(.+?):(\d+)/.exec(frame) ?? [];
    return path === undefined ? [] : [{ file: resolve(directory, path), line: Number(number) }];
  });
  const own = frames.find((frame) => isOwn(frame.file, directory)) ?? { file, line };
  // An error of RSpec itself needs no class before it.
  const prefix = exception.class.startsWith("RSpec::") ? "" : `${exception.class}: `;
  return { message: prefix + exception.message.trim(), ...own };
}

/** Returns true for files of the module, without modules that its specs install and gems of its bundle. */
function isOwn(file: string, directory: string): boolean {
  const path = relative(directory, file);
  return !path.startsWith("..") && !isAbsolute(path) && !/^(spec\/fixtures|vendor)\//.test(path.replaceAll("\\", "/"));
}
