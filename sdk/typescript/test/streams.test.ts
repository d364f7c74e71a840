// Event streams and exports: reconnecting, resuming, ending.

import assert from "node:assert/strict";
import { test } from "node:test";

import { BadAnswer, Griot, Interrupted, InvalidInput, Unauthenticated, Unavailable } from "griot";

import { type Act, hangUp, next, refuses, says, Script, Server, streams } from "./server.js";

/** An event stream that breaks off after these revisions, in the middle of another event. */
function tells(...revisions: number[]): Act {
  const events = revisions.map((revision) => `id: ${revision}\nevent: change\ndata: {"revision": ${revision}}\n\n`);
  return streams("text/event-stream", `: hello\n\n${events.join("")}id: 99\ndata: {"revis`);
}

test("events follow what is committed", async (t) => {
  const server = await Server.started(t);
  const griot = new Griot({ url: server.url });
  const first = await griot.remember({ text: "one" });
  const changes = griot.events({ after: 0 });
  const change = await next(changes);
  assert.deepEqual(change.memories, [first.id]);
  const second = await griot.remember({ text: "two" });
  const later = await next(changes);
  assert.deepEqual(later.memories, [second.id]);
  assert.ok(later.revision > change.revision);
  await changes.return();
});

test("no change is missed or repeated when the server is killed", async (t) => {
  const server = await Server.started(t);
  const griot = new Griot({ url: server.url });
  const changes = griot.events({ after: 0 });
  for (let round = 0; round < 3; round += 1) {
    for (const number of [1, 2]) {
      const { id } = await griot.remember({ text: `round ${round}, ${number}` });
      assert.deepEqual((await next(changes)).memories, [id]);
    }
    await server.stop();
    await server.start();
  }
  await changes.return();
});

test("a broken stream resumes after the last event", async (t) => {
  const server = await Script.started(t, tells(4, 5), hangUp, refuses("unavailable", "503 x"), tells(6), tells(7));
  const changes = new Griot({ url: server.url }).events();
  for (const revision of [4, 5, 6, 7]) assert.equal((await next(changes)).revision, revision);
  assert.deepEqual(server.headers("last-event-id").slice(0, 5), [null, "5", "5", "5", "6"]);
  await changes.return();
});

test("a stream that breaks before the first event misses none", async (t) => {
  const hello = streams("text/event-stream", ": hello\nid: 3\n\n");
  const server = await Script.started(t, hello, tells(4));
  const changes = new Griot({ url: server.url }).events();
  assert.equal((await next(changes)).revision, 4);
  assert.deepEqual(server.headers("last-event-id").slice(0, 2), [null, "3"]);
  await changes.return();
});

test("patience ends", async (t) => {
  const gone = await Script.started(t, refuses("unavailable", "503 x"));
  await assert.rejects(next(new Griot({ url: gone.url }).events({ patienceMs: 300 })), Unavailable);
  assert.ok(gone.requests.length > 1);
});

test("permanent failures are thrown at once", async (t) => {
  const cases: [Act, new (...told: never[]) => Error][] = [
    [refuses("unauthenticated", "401 x"), Unauthenticated],
    [refuses("invalid_input", "400 x"), InvalidInput],
    [says("200 OK", "data: {no json\n\n", "text/event-stream"), BadAnswer],
    [says("200 OK", "{}"), BadAnswer],
  ];
  for (const [act, kind] of cases) {
    const server = await Script.started(t, act);
    await assert.rejects(next(new Griot({ url: server.url }).events()), kind);
    assert.equal(server.requests.length, 1);
  }
});

test("a signal ends a stream", async (t) => {
  const server = await Server.started(t);
  const abort = new AbortController();
  const changes = new Griot({ url: server.url }).events({ after: 0, signal: abort.signal });
  const step = changes.next();
  abort.abort();
  assert.deepEqual(await step, { done: true, value: undefined });
});

test("an export is everything", async (t) => {
  const server = await Server.started(t);
  const griot = new Griot({ url: server.url });
  const memories = Array.from({ length: 300 }, (_, number) => ({ text: `Memory number ${number} is here` }));
  await griot.rememberMany({ memories });
  let count = 0;
  for await (const record of griot.export()) {
    if (JSON.stringify(record).includes("Memory number")) count += 1;
  }
  assert.equal(count, 300);
});

test("a truncated export is an error", async (t) => {
  const kind = "application/x-ndjson";
  for (const act of [streams(kind, '{"a": 1}\n{'), says("200 OK", '{"a": 1}\n', kind)]) {
    const server = await Script.started(t, act);
    const records = new Griot({ url: server.url }).export();
    assert.deepEqual(await next(records), { a: 1 });
    await assert.rejects(records.next(), Interrupted);
  }
});
