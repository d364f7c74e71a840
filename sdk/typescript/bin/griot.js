#!/usr/bin/env node
// Runs the program `griot`, which lies in the package for this platform.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";

const name = `griot-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "griot.exe" : "griot";

function program() {
  try {
    return createRequire(import.meta.url).resolve(`${name}/${file}`);
  } catch {
    console.error(`error: cannot run griot: the package ${name} is not installed`);
    console.error("hint: install without --omit=optional; where there is no such package, build from source");
    process.exit(2);
  }
}

const child = spawn(program(), process.argv.slice(2), { stdio: "inherit" });
// A terminal sends Ctrl-C to both processes; what only this one gets, the program has to get, too.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`error: cannot run griot: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => {
  if (signal === null) {
    process.exit(code ?? 1);
  }
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
