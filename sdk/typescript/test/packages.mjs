// The packed npm packages, installed without a network: GRIOT_PACKAGES is the folder of their archives.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";

const FOLDER = process.env["GRIOT_PACKAGES"];
const ARCHIVES = readdirSync(FOLDER).filter((name) => name.endsWith(".tgz"));
const PLATFORM = `griot-${process.platform}-${process.arch}`;
const LONG = 120_000;
const home = mkdtempSync(join(tmpdir(), "griot-"));
const project = join(home, "project");
const env = { ...process.env, GRIOT_HOME: join(home, "data"), NO_COLOR: "1" };
const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const npx = process.platform === "win32" ? "npx.cmd" : "npx";

function archive(name) {
  const found = ARCHIVES.find((file) => new RegExp(`^${name}-\\d`).test(file));
  assert.ok(found, `${ARCHIVES} has no ${name}`);
  return join(FOLDER, found);
}

function run(program, ...args) {
  return execFileSync(program, args, { cwd: project, env, encoding: "utf8", timeout: LONG });
}

/** A session of MCP on the standard input and output of a program. */
class Session {
  #child;
  #lines;
  #id = 0;

  constructor(program, ...args) {
    this.#child = spawn(program, args, { cwd: project, env, stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async ask(method, params) {
    this.#id += 1;
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: this.#id, method, params })}\n`);
    const { value } = await this.#lines.next();
    return JSON.parse(value).result;
  }

  async greet() {
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const greeting = await this.ask("initialize", params);
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    return greeting.serverInfo.name;
  }

  /** Ends it by closing its input; the exit code. */
  async end() {
    const ended = new Promise((resolve) => this.#child.on("exit", resolve));
    this.#child.stdin.end();
    return ended;
  }
}

before(() => {
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{"name": "project", "version": "1.0.0", "type": "module"}');
  // Both archives at once: the optional dependency on this platform's package is met by the second.
  run(npm, "install", "--offline", "--no-audit", "--no-fund", archive("griot"), archive(PLATFORM));
});

after(() => rmSync(home, { recursive: true, force: true }));

test("npx runs the program, with its exit code", () => {
  assert.match(run(npx, "--no-install", "griot", "--version"), /^griot \d+\.\d+\.\d+/);
  run(npx, "--no-install", "griot", "remember", "Ada likes tea");
  assert.match(run(npx, "--no-install", "griot", "recall", "what does Ada like?"), /Ada likes tea/);
  assert.throws(() => run(npx, "--no-install", "griot", "show", "nothing"), { status: 1 });
});

test("npx serves MCP on its standard input and output", async () => {
  const session = new Session(npx, "--no-install", "griot", "mcp");
  assert.equal(await session.greet(), "griot");
  const call = (name, given) => session.ask("tools/call", { name, arguments: given });
  const stored = await call("remember", { text: "Ben drinks coffee" });
  assert.ok(!stored.isError, JSON.stringify(stored));
  const found = await call("recall", { query: "what does Ben drink?" });
  assert.match(found.content[0].text, /Ben drinks coffee/);
  assert.equal(await session.end(), 0);
});

test("npx runs the archive of the platform alone, without an installation", async () => {
  // npx takes an absolute path for a program.
  const file = basename(archive(PLATFORM));
  copyFileSync(archive(PLATFORM), join(project, file));
  const session = new Session(npx, "--offline", "--yes", `./${file}`, "mcp");
  assert.equal(await session.greet(), "griot");
  assert.equal(await session.end(), 0);
});

test("a signal to the launcher ends the program", { skip: process.platform === "win32" }, async () => {
  const launcher = join(project, "node_modules/griot/bin/griot.js");
  const serve = [launcher, "serve", "--listen", "127.0.0.1:0"];
  const child = spawn(process.execPath, serve, { env, cwd: project });
  const ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve({ code, signal })));
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes("http://")) {
      child.kill("SIGTERM");
    }
  }
  // Its output ended: no process of it is left that could hold it.
  assert.deepEqual(await ended, { code: 0, signal: null });
});

test("the same package has the client", () => {
  const code = 'import { Griot } from "griot";\nconsole.log(typeof new Griot().recall);';
  writeFileSync(join(project, "client.js"), code);
  assert.equal(run(process.execPath, "client.js"), "function\n");
});

test("without the package of the platform the launcher says what helps", () => {
  run(npm, "uninstall", "--offline", "--no-audit", "--no-fund", PLATFORM);
  rmSync(join(project, "node_modules", PLATFORM), { recursive: true, force: true });
  const launcher = join(project, "node_modules/griot/bin/griot.js");
  const done = spawnSync(process.execPath, [launcher], { encoding: "utf8" });
  assert.equal(done.status, 2);
  const what = `error: cannot run griot: the package ${PLATFORM} is not installed\nhint: `;
  assert.ok(done.stderr.startsWith(what), done.stderr);
});
