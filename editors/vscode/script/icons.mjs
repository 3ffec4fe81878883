// Draws images/icon.png from icon.svg with a headless Chromium: npm run icons
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const directory = mkdtempSync(join(tmpdir(), "puppetfn-icon-"));
const page = join(directory, "icon.html");
writeFileSync(page, `<body style="margin:0;background:transparent">${readFileSync("images/icon.svg", "utf8")}</body>`);
const options = ["--headless", "--no-sandbox", "--hide-scrollbars", "--default-background-color=00000000", "--window-size=128,128"];
const { status } = spawnSync("chromium", [...options, "--screenshot=images/icon.png", pathToFileURL(page).href], { stdio: "inherit" });
rmSync(directory, { recursive: true });
process.exit(status ?? 1);
