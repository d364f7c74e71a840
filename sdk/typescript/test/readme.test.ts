// The example of the README has the right types, runs, and prints what it says.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { PACKAGE, Server } from "./server.js";

test("the example prints what the README says", async (t) => {
  const server = await Server.started(t);
  const blocks = [...readFileSync(join(PACKAGE, "README.md"), "utf8").matchAll(/```(\w+)\n(.*?)```/gs)];
  const text = (language: string) => blocks.filter((block) => block[1] === language).map((block) => block[2] ?? "");
  const [examples, printed] = [text("ts"), text("text")];
  assert.equal(examples.length, 2);
  for (const [index, example] of examples.entries()) {
    const file = join(PACKAGE, "test/build", `example${index}.ts`);
    writeFileSync(file, example);
    const flags = ["--ignoreConfig", "--module", "nodenext", "--target", "es2022", "--strict", "--types", "node"];
    const compiler = join(PACKAGE, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [compiler, ...flags, file], { cwd: PACKAGE, stdio: "inherit" });
    const env = { ...process.env, GRIOT_URL: server.url };
    const told = execFileSync(process.execPath, [file.replace(/ts$/, "js")], { env, encoding: "utf8", timeout: 60_000 });
    assert.equal(told, printed[index]);
  }
});
