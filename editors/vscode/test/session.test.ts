// Conversations with the real server, in the messages that the editor sends: `UPDATE_SNAPSHOTS=1 npm test -- session`
// records the answers again. In a session, ROOT is the directory of its files.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver-protocol/node";
import { program } from "./support/command";
import { module } from "./support/module";

const SESSIONS = "test/sessions";

/** A message of a session. Requests have the server's result, and `awaited` are notifications of the server, of a version of a document. */
type Step =
  | { readonly request: string; readonly params: object; result?: unknown }
  | { readonly notification: string; readonly params: object }
  | { readonly awaited: string; readonly version?: number; params?: unknown };

interface Session {
  readonly files: Record<string, string>;
  readonly steps: Step[];
}

for (const name of readdirSync(SESSIONS)) {
  test(`session ${name}`, async () => {
    const path = join(SESSIONS, name);
    const recorded = readFileSync(path, "utf8");
    const session = JSON.parse(recorded) as Session;
    const played = await play(JSON.parse(recorded) as Session);
    if (process.env.UPDATE_SNAPSHOTS) {
      writeFileSync(path, `${JSON.stringify(played, null, 2)}\n`);
    } else {
      played.steps.forEach((step, at) => {
        assert.deepEqual(step, session.steps[at]);
      });
    }
  });
}

/** Plays a session, and returns it with the server's present answers. */
async function play(session: Session): Promise<Session> {
  const root = module(session.files);
  const uri = pathToFileURL(root).href;
  const inRoot = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll("file:///ROOT", uri)) as T;
  const outOfRoot = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null).replaceAll(uri, "file:///ROOT"));
  const server = spawn(program.command, [...program.args, "lsp"], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const connection = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  const received: { method: string; params: { version?: number } }[] = [];
  let arrived = (): void => undefined;
  connection.onNotification((method, params) => {
    received.push({ method, params: params as { version?: number } });
    arrived();
  });
  // The server asks to watch files, and to show progress.
  connection.onRequest(() => null);
  connection.listen();
  try {
    for (const step of session.steps) {
      if ("request" in step) {
        step.result = outOfRoot(await connection.sendRequest(step.request, inRoot(step.params)));
      } else if ("notification" in step) {
        await connection.sendNotification(step.notification, inRoot(step.params));
      } else {
        const find = () => received.find((one) => one.method === step.awaited && one.params.version === step.version);
        while (find() === undefined) {
          await new Promise<void>((resolve) => {
            arrived = resolve;
          });
        }
        step.params = outOfRoot(find()?.params);
      }
    }
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    assert.equal(await ended, 0, "the server ends");
  } finally {
    connection.dispose();
    server.kill();
  }
  return session;
}
