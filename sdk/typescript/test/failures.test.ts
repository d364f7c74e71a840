// Failures.

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";

import * as griotModule from "griot";
import { Griot, GriotError, Unreachable } from "griot";

import { type Act, drip, hangUp, refuses, says, Script, Server, silence } from "./server.js";

const MEMORY = says("200 OK", '{"id": "x"}');

/** The error of a call, which must have this kind. */
async function failureOf<T extends GriotError>(call: Promise<unknown>, kind: abstract new (...args: never[]) => T): Promise<T> {
  try {
    await call;
  } catch (error) {
    if (error instanceof kind) return error;
    throw error;
  }
  throw new Error("the call did not fail");
}

test("no server listens", async () => {
  const free = createServer();
  const port = await new Promise((resolve) => {
    free.listen(0, "127.0.0.1", () => {
      const address = free.address();
      free.close(() => resolve(typeof address === "object" ? address?.port : 0));
    });
  });
  const url = `http://127.0.0.1:${port}`;
  const failure = await failureOf(new Griot({ url }).remember({ text: "x" }), Unreachable);
  assert.ok(failure instanceof griotModule.Unavailable && !failure.mayHaveArrived);
  assert.ok(failure.message.startsWith(`cannot ask the server to remember: ${url} does not answer: `), failure.message);
  assert.equal(failure.hint, "start a server with griot serve, or set GRIOT_URL to its address");
});

test("a server that comes up in time is reached", async (t) => {
  const server = await Server.started(t);
  await server.stop();
  const call = new Griot({ url: server.url, retries: 12, timeoutMs: 60_000 }).remember({ text: "x" });
  const [stored] = await Promise.all([call, server.start()]);
  assert.equal(stored.action, "added");
});

test("a key is required and needs the right role", async (t) => {
  const server = await Server.started(t);
  const apiKey = server.key("--workspace", "default", "--role", "read");
  for (const wrong of [{}, { apiKey: "griot_wrong" }]) {
    const failure = await failureOf(new Griot({ url: server.url, ...wrong }).status(), griotModule.Unauthenticated);
    assert.equal(failure.status, 401);
    assert.ok(failure.requestId && !failure.message.includes("griot_wrong"));
  }
  const griot = new Griot({ url: server.url, apiKey });
  assert.equal((await griot.status()).revision, 0);
  await failureOf(griot.remember({ text: "x" }), griotModule.Forbidden);
  await failureOf(griot.status({ workspace: "other" }), griotModule.Forbidden);
});

test("url and key come from the environment", async (t) => {
  const server = await Server.started(t);
  process.env["GRIOT_API_KEY"] = server.key("--workspace", "default", "--role", "read");
  process.env["GRIOT_URL"] = server.url;
  t.after(() => {
    delete process.env["GRIOT_API_KEY"];
    delete process.env["GRIOT_URL"];
  });
  assert.equal((await new Griot().status()).revision, 0);
});

test("a wrong request says what is wrong", async (t) => {
  const server = await Server.started(t);
  const griot = new Griot({ url: server.url });
  const failure = await failureOf(griot.recall({ query: "x", intent: "whey" }), griotModule.InvalidInput);
  assert.deepEqual([failure.kind, failure.status, failure.hint], ["invalid_input", 400, "use why, when, entity or general"]);
  const missing = await failureOf(griot.show({ name: "ffffff" }), griotModule.NotFound);
  assert.equal(missing.status, 404);
  assert.deepEqual(missing.candidates, []);
});

test("an ambiguous name comes with candidates", async (t) => {
  const server = await Server.started(t);
  const griot = new Griot({ url: server.url });
  await griot.remember({ text: "Mercury keeps the queues.", entities: ["Mercury:tool"] });
  await griot.remember({ text: "Mercury joined the team in May.", entities: ["Mercury:person"] });
  const failure = await failureOf(griot.entity({ name: "Mercury" }), griotModule.InvalidInput);
  assert.deepEqual(failure.candidates.map((one) => one.id).sort(), ["person:mercury", "tool:mercury"]);
});

test("invalid arguments are not sent", async (t) => {
  const nobody = await Script.started(t, MEMORY);
  const griot = new Griot({ url: nobody.url });
  const circle: { text?: unknown } = {};
  circle.text = circle;
  for (const call of [
    () => griot.remember(circle as { text: string }),
    () => griot.show({ name: ".." }),
    () => griot.show({ name: "" }),
    () => griot.show({} as { name: string }),
    () => griot.show({ name: "\ud800" }),
    () => griot.entities({ search: "\ud800" }),
  ]) {
    await failureOf(call(), griotModule.InvalidInput);
  }
  assert.deepEqual(nobody.requests, []);
});

test("an invalid address or key is refused at once", () => {
  for (const url of ["localhost:4747", "ftp://x", "http://", "http://a b", "http://x?y=1", "http://x:99999"]) {
    assert.throws(() => new Griot({ url }), griotModule.InvalidInput, url);
  }
  const apiKey = "griot_secret\r\nX-Role: admin";
  assert.throws(() => new Griot({ apiKey }), (error: Error) => !error.message.includes("secret"));
});

test("a slow server costs no more than the timeout", async (t) => {
  for (const act of [silence, drip]) {
    const slow = await Script.started(t, act);
    const start = performance.now();
    const call = new Griot({ url: slow.url }).remember({ text: "x" }, { timeoutMs: 400 });
    const failure = await failureOf(call, griotModule.TimedOut);
    assert.ok(performance.now() - start < 5000);
    assert.equal(failure.why, "there was no answer within 400 ms");
    assert.ok(failure.message.includes("may have succeeded"));
    assert.deepEqual(slow.headers("x-request-id"), [failure.requestId], "a write that may have arrived is not sent again");
  }
});

test("a dead connection is not used for a write", async (t) => {
  const server = await Server.started(t);
  const griot = new Griot({ url: server.url, retries: 0 });
  await griot.health();
  await server.stop();
  await server.start();
  assert.equal((await griot.remember({ text: "x" })).action, "added");
});

test("a call that is aborted ends with the reason of its caller", async (t) => {
  const slow = await Script.started(t, silence);
  const abort = new AbortController();
  const call = new Griot({ url: slow.url }).recall({ query: "x" }, { signal: abort.signal });
  abort.abort(new Error("no longer wanted"));
  await assert.rejects(call, /no longer wanted/);
});

test("reads are retried", async (t) => {
  const shaky = await Script.started(t, hangUp, refuses("unavailable", "503 x"), says("200 OK", '{"results": []}'));
  assert.deepEqual(await new Griot({ url: shaky.url }).recall({ query: "x" }), { results: [] });
  assert.equal(shaky.requests.length, 3);
  assert.equal(new Set(shaky.headers("x-request-id")).size, 1, "tries of one call are one request in the log");
});

test("a write is retried only if it was not done", async (t) => {
  const refusals: [string, string][] = [
    ["unavailable", "503 x"],
    ["conflict", "409 x"],
    ["rate_limited", "429 x"],
  ];
  for (const [kind, status] of refusals) {
    const busy = await Script.started(t, refuses(kind, status), MEMORY);
    assert.deepEqual(await new Griot({ url: busy.url }).remember({ text: "x" }), { id: "x" });
  }
  for (const act of [hangUp, refuses("timed_out", "504 x"), says("502 x", "<html>", "text/html")]) {
    const broken = await Script.started(t, act, MEMORY);
    const failure = await failureOf(new Griot({ url: broken.url }).remember({ text: "x" }), GriotError);
    assert.equal(broken.requests.length, 1);
    if (failure instanceof Unreachable) assert.ok(failure.mayHaveArrived);
  }
});

test("retries are limited, and one that would exceed the timeout is not started", async (t) => {
  const busy = await Script.started(t, refuses("conflict", "409 x"));
  const failure = await failureOf(new Griot({ url: busy.url, retries: 3 }).remember({ text: "x" }), griotModule.Conflict);
  assert.equal(busy.requests.length, 4);
  assert.deepEqual([failure.what, failure.why, failure.hint, failure.requestId], ["do it", "so", "help", "r1"]);

  const limited = await Script.started(t, refuses("rate_limited", "429 x", "Retry-After: 40"), MEMORY);
  const start = performance.now();
  const later = await failureOf(new Griot({ url: limited.url }).status(), griotModule.RateLimited);
  assert.equal(later.retryAfterMs, 40_000);
  assert.ok(performance.now() - start < 5000);
});

test("another server is recognised", async (t) => {
  const others: Act[] = [
    says("200 OK", "<html>"),
    says("404 Not Found", "<html>", "text/html"),
    says("500 x", '{"error": "no"}'),
    says("301 x", "", "text/html", "Location: http://127.0.0.1:1/"),
    (socket) => void socket.end("SSH-2.0-OpenSSH_9.6\r\n\r\n"),
  ];
  for (const act of others) {
    const other = await Script.started(t, act);
    await failureOf(new Griot({ url: other.url }).status(), griotModule.BadAnswer);
  }
});

test("an unknown kind is a GriotError", async (t) => {
  const server = await Script.started(t, refuses("too_late", "418 x"));
  const failure = await failureOf(new Griot({ url: server.url }).status(), GriotError);
  assert.deepEqual([failure.kind, failure.status], ["too_late", 418]);
});

test("a page that the server names may send what the client sends, and read what it reads", async (t) => {
  const server = await Server.started(t);
  const page = "https://app.example.org";
  server.run("config", "set", "server.cors_origins", page);
  await server.stop();
  await server.start();
  const sent = await Script.started(t, MEMORY, refuses("unauthenticated", "401 x"));
  const griot = new Griot({ url: sent.url, apiKey: "griot_x" });
  await griot.remember({ text: "x" });
  await griot.events().next().catch(() => undefined);
  // Headers that a browser adds itself need no permission.
  const own = /^(host|connection|accept.*|user-agent|sec-fetch-.*|content-length|origin)$/;
  const names = sent.requests.flatMap((request) => request.split("\r\n\r\n")[0]?.split("\r\n").slice(1) ?? []);
  const asked = [...new Set(names.map((line) => line.split(":")[0]?.toLowerCase() ?? ""))].filter((name) => !own.test(name));
  assert.ok(asked.includes("authorization") && asked.includes("x-request-id"), asked.join());

  const headers = { Origin: page, "Access-Control-Request-Method": "POST" };
  const leave = await fetch(`${server.url}/v1/remember`, {
    method: "OPTIONS",
    headers: { ...headers, "Access-Control-Request-Headers": [...asked, "last-event-id"].join(",") },
  });
  const list = (response: Response, name: string) => response.headers.get(name)?.toLowerCase().split(/, ?/) ?? [];
  assert.equal(leave.headers.get("access-control-allow-origin"), page);
  for (const name of [...asked, "last-event-id"]) assert.ok(list(leave, "access-control-allow-headers").includes(name), name);
  const answer = await fetch(`${server.url}/v1/status`, { headers: { Origin: page } });
  assert.ok(list(answer, "access-control-expose-headers").includes("retry-after"));
});
