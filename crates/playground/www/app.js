// The page: sends the code to the worker whenever it changes, and shows the answer of the chosen tab.

import { examples } from "./examples.js";
import { fromLink, toLink } from "./link.js";
import { Runner } from "./runner.js";

const TABS = [
  ["evaluate", "Value"],
  ["infer", "Type"],
  ["check", "Check"],
  ["parse", "Tree"],
  ["compile", "Catalog"],
  ["catalog", "JSON"],
  ["graph", "Graph"],
];

const FACTS = {
  os: { name: "Debian", family: "Debian", release: { full: "12.7", major: "12" } },
  networking: { fqdn: "web1.example.com", ip: "192.0.2.10" },
  kernel: "Linux",
};

/** Milliseconds between the last key and the answer. */
const PAUSE = 200;

const element = (id) => document.getElementById(id);
const [code, facts, node, lines, result, problems, log, status, notice] =
  ["code", "facts", "node", "lines", "result", "problems", "log", "status", "notice"].map(element);
const runner = new Runner((version) => (element("version").textContent = `puppetfn ${version}`));
let tab = "evaluate";

/** Returns the facts that the user has entered; an error if they are not an object in JSON. */
function enteredFacts() {
  const entered = JSON.parse(facts.value.trim() || "{}");
  if (entered === null || typeof entered !== "object" || Array.isArray(entered)) throw new Error("expected an object");
  return entered;
}

function request(action) {
  return { action, code: code.value, facts: enteredFacts(), node: node.value.trim() || "localhost" };
}

async function update() {
  drawLines([]);
  let sent;
  try {
    sent = request(tab);
  } catch (error) {
    return show({ output: null, problems: [{ severity: "error", message: `The facts are not JSON: ${error.message}` }], log: [] });
  }
  status.textContent = "…";
  const started = performance.now();
  const answer = await runner.ask(sent);
  if (!answer) return; // The code has changed meanwhile.
  show(answer);
  const took = performance.now() - started;
  status.textContent = tab === "check" && answer.problems.length === 0 ? "No problems were found" : `${took.toFixed(took < 10 ? 1 : 0)} ms`;
}

function show({ output, format, problems: found, log: logged }) {
  if (format === "svg" && output) result.innerHTML = output;
  else result.textContent = output ?? "";
  problems.replaceChildren(...found.map(problemItem));
  log.replaceChildren(...logged.map(logItem));
  drawLines(found);
}

function problemItem({ severity, message, rule, line, column }) {
  const item = document.createElement("li");
  item.className = severity;
  item.append(message);
  if (line && rule) item.append(small(` [${rule}] line ${line}, column ${column}`));
  if (line) item.addEventListener("click", () => goTo(line, column ?? 1));
  return item;
}

function logItem({ level, message }) {
  const item = document.createElement("li");
  const name = document.createElement("b");
  name.textContent = `${level}: `;
  item.append(name, message);
  return item;
}

function small(text) {
  const made = document.createElement("small");
  made.textContent = text;
  return made;
}

/** Draws the numbers of the lines, marked where there are problems. */
function drawLines(found) {
  const worst = new Map();
  for (const { line, severity } of found) {
    if (line && worst.get(line) !== "error") worst.set(line, severity);
  }
  const count = code.value.split("\n").length;
  lines.replaceChildren(...Array.from({ length: count }, (_, index) => {
    const number = document.createElement("div");
    number.textContent = index + 1;
    number.className = worst.get(index + 1) ?? "";
    return number;
  }));
  lines.scrollTop = code.scrollTop;
}

/** Puts the cursor at a line and a column, which count from 1, columns in characters. */
function goTo(line, column) {
  const before = code.value.split("\n").slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const text = code.value.split("\n")[line - 1] ?? "";
  const offset = before + [...text].slice(0, column - 1).join("").length;
  code.focus();
  code.setSelectionRange(offset, offset);
}

function choose(chosen) {
  tab = chosen;
  for (const button of element("tabs").children) button.ariaSelected = String(button.dataset.tab === tab);
  update();
}

function load(state) {
  code.value = state.code;
  facts.value = JSON.stringify(state.facts ?? FACTS, null, 2);
  node.value = state.node ?? "web1.example.com";
  choose(TABS.some(([name]) => name === state.tab) ? state.tab : "evaluate");
}

async function format() {
  const answer = await runner.ask({ action: "format", code: code.value });
  if (!answer) return;
  if (answer.output === null) return show(answer);
  code.value = answer.output;
  update();
}

async function share() {
  let state;
  try {
    state = { code: code.value, facts: enteredFacts(), node: node.value, tab };
  } catch (error) {
    notice.textContent = `The facts are not JSON: ${error.message}`;
    return;
  }
  history.replaceState(null, "", `#${await toLink(state)}`);
  try {
    await navigator.clipboard.writeText(location.href);
    notice.textContent = "The link was copied";
  } catch {
    notice.textContent = "The address of this page is the link";
  }
}

/** Lets the tab key indent, and leaves the editor after Escape. */
function indent(event) {
  if (event.key === "Escape") code.blur();
  if (event.key !== "Tab" || event.shiftKey) return;
  event.preventDefault();
  code.setRangeText("  ", code.selectionStart, code.selectionEnd, "end");
  changed();
}

let pending;
function changed() {
  notice.textContent = "";
  drawLines([]);
  clearTimeout(pending);
  pending = setTimeout(update, PAUSE);
}

function prepare() {
  for (const [name, title] of TABS) {
    const button = document.createElement("button");
    Object.assign(button, { role: "tab", textContent: title });
    button.dataset.tab = name;
    button.addEventListener("click", () => choose(name));
    element("tabs").append(button);
  }
  const menu = element("examples");
  examples.forEach(({ name }, index) => menu.append(new Option(name, index)));
  menu.addEventListener("change", () => load(examples[menu.value]));
  for (const input of [code, facts, node]) input.addEventListener("input", changed);
  code.addEventListener("keydown", indent);
  code.addEventListener("scroll", () => (lines.scrollTop = code.scrollTop));
  element("format").addEventListener("click", format);
  element("share").addEventListener("click", share);
  addEventListener("hashchange", open);
}

async function open() {
  try {
    const isLink = location.hash.length > 1;
    load(isLink ? await fromLink(location.hash.slice(1)) : examples[0]);
    element("examples").selectedIndex = isLink ? -1 : 0;
  } catch {
    load(examples[0]);
    notice.textContent = "The link is not complete: this is an example";
  }
}

prepare();
open();
