#!/usr/bin/env node
// Runs the program of this platform's package.
"use strict";

const { spawnSync } = require("node:child_process");

// Node.js names the processor and the system only; the program for Linux is static, so it needs no C library.
const name = `@puppetfn/${process.platform}-${process.arch}`;

function program() {
  try {
    return require.resolve(`${name}/bin/puppetfn${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    console.error(`puppetfn has no program for ${process.platform} on ${process.arch}: the package ${name} is not installed.`);
    console.error("help: `npm install` without --omit=optional installs it where it exists; otherwise, use the gem");
    process.exit(2);
  }
}

const { status, signal, error } = spawnSync(program(), process.argv.slice(2), { stdio: "inherit" });
if (error) {
  throw error;
}
if (signal) {
  process.kill(process.pid, signal);
}
process.exit(status ?? 1);
