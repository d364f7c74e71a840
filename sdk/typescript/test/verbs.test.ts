// Every verb against the real server.

import assert from "node:assert/strict";
import { test } from "node:test";

import { BadAnswer, BY_KIND, Griot, InvalidInput, NotFound, REFUSALS, VERBS } from "griot";

import { Server } from "./server.js";

/** Streams; see streams.test.ts. */
const OWN = ["events", "export"];

/** A client that records its calls. */
function counted(griot: Griot): { griot: Griot; names: Set<string> } {
  const names = new Set<string>();
  const proxy = new Proxy(griot, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      names.add(String(name));
      return value.bind(target);
    },
  });
  return { griot: proxy, names };
}

test("every verb works", async (t) => {
  const server = await Server.started(t);
  const { griot, names } = counted(new Griot({ url: server.url }));
  const restart = await griot.remember({ text: "Ops restarts the Redis cluster every night", tags: ["ops"] });
  assert.equal(restart.action, "added");
  const many = await griot.rememberMany({
    memories: [
      { text: "Customers were logged out because the nightly Redis restart wiped their sessions" },
      {
        text: "We moved sessions to Postgres because customers were logged out",
        kind: "decision",
        entities: ["Ada:person", { name: "Session Store", type: "tool" }],
      },
    ],
  });
  const decision = many[1]?.id ?? "";
  const found = await griot.recall({ query: "why did we move sessions to Postgres?", limit: 3 });
  assert.ok(found.results.some((result) => result.id === decision));
  assert.ok((await griot.context({ query: "sessions in Postgres" })).text.includes("Postgres"));
  assert.ok((await griot.traverse({ query: "Postgres" })).length > 0);
  const linked = await griot.link({ source: "Ada", target: "Redis", kind: "relation", label: "maintains" });
  assert.equal(linked.edge.label, "maintains");
  assert.ok((await griot.path({ source: "Ada", target: "Redis" })).found);
  assert.equal((await griot.path({ source: "Ada", target: "Redis", relations_only: true })).hops.length, 1);
  assert.deepEqual((await griot.hubs({ type: "tool", limit: 1 })).map((hub) => hub.entity.name), ["Redis"]);
  assert.equal((await griot.edge({ name: linked.edge.id ?? "" })).label, "maintains");
  await griot.unlink({ source: "Ada", target: "Redis", kind: "relation" });
  assert.ok((await griot.why({ name: decision, direction: "causes" })).causes.length > 0);
  await griot.related({ name: "Redis", families: ["entity"] });
  await griot.similar({ name: decision });
  await griot.timeline({ after: 2 });
  assert.equal((await griot.show({ name: decision })).kind, "decision");
  assert.deepEqual((await griot.memories({ kinds: ["decision"] })).map((memory) => memory.id), [decision]);
  const noted = await griot.remember({ text: "The kettle is blue" });
  assert.notEqual((await griot.editMemory({ name: noted.id, text: "The kettle is green" })).id, noted.id);
  const hubs = await griot.entities({ search: "redis", type: "tool" });
  assert.deepEqual(hubs.map((hub) => hub.entity.name), ["Redis"]);
  assert.equal((await griot.entity({ name: "tool:redis", hops: 2 })).entity.name, "Redis");
  await assert.rejects(griot.entity({ name: "Müller & Söhne / 100 %?#" }), NotFound);
  const fact = await griot.addFact({ subject: "Shop", predicate: "runs_on", object: "Postgres" });
  assert.equal(fact.predicate, "runs_on");
  const ended = await griot.endFact({ name: fact.id, valid_to: "2031-01-01" });
  assert.match(ended.valid_to ?? "", /^2031-01-01/);
  assert.equal((await griot.endFact({ name: fact.id, undo: true })).valid_to, null);
  assert.equal((await griot.recalls({ limit: 5 })).enabled, false);
  assert.deepEqual((await griot.compareRecalls({ limit: 5 })).questions, []);
  assert.equal((await griot.facts({ entity: "Shop" })).length, 1);
  assert.deepEqual(await griot.conflicts({ entity: "Shop" }), []);
  const text = "# Minutes\n\nAda owns the cache.\n";
  await griot.ingest({ text, name: "minutes.md", metadata: { author: "Ada" } });
  const sources = await griot.sources();
  const last = sources.at(-1)?.source.id ?? "";
  assert.deepEqual((await griot.source({ name: last })).source.source.metadata, { author: "Ada" });
  assert.ok((await griot.sourceGraph({ name: last, limit: 5 })).entity_count > 0);
  assert.deepEqual((await griot.tagSource({ name: last, tags: ["minutes"] })).source.tags, ["minutes"]);
  await assert.rejects(griot.refreshSource({ name: sources[0]?.source.id ?? "" }), InvalidInput);
  const crawl = (await griot.crawl({ url: "http://nowhere.invalid/", mode: "single", max_pages: 1 })).id;
  assert.equal((await griot.job({ name: crawl })).kind, "crawl");
  assert.deepEqual((await griot.jobs()).map((job) => job.id), [crawl]);
  for (const verb of [griot.pauseJob, griot.resumeJob, griot.cancelJob, griot.retryJob]) {
    assert.equal((await verb({ name: crawl })).id, crawl);
  }
  assert.ok(Array.isArray(await griot.offers({ all: true, limit: 5 })));
  // This server has no language model.
  await assert.rejects(griot.answer({ query: "who owns the cache?" }), InvalidInput);
  await assert.rejects(griot.judgeMerges({ limit: 1 }), InvalidInput);
  assert.ok(((await griot.enrich({ estimate: true, limit: 2 })).estimate?.calls ?? 0) > 0);
  assert.deepEqual(await griot.notes({ name: decision }), []);
  await assert.rejects(griot.undoNote({ name: decision }), /no note/);
  assert.deepEqual((await griot.usage({ days: 7 })).rows, []);
  await griot.forget({ name: decision });
  await griot.restore({ name: decision });
  assert.equal((await griot.status()).counts.memories, 6);
  await griot.verify();
  assert.deepEqual((await griot.warnings({ all: true })).warnings, []);
  await assert.rejects(griot.acknowledgeWarning({ name: "w-000000000000", note: "a loop" }), NotFound);
  assert.equal((await griot.graphLayout()).revision, null);
  assert.ok(["running", "ready"].includes((await griot.layOutGraph()).state));
  assert.ok((await griot.buildGraphs({ graphs: ["temporal"] })).temporal_total > 0);
  assert.equal((await griot.buildGraphs({ graphs: ["temporal"] })).temporal_added, 0);
  assert.equal((await griot.gc({ threshold: 1, limit: 1 })).length, 1);
  assert.ok((await griot.doctor()).sound);
  assert.ok((await griot.feedback({ good: true, answer: found.rollout.id, memories: [decision] })).good);
  assert.equal((await griot.setRollout({ mode: "shadow" })).mode, "shadow");
  assert.equal((await griot.setRollout({ mode: "on", force: true })).mode, "on");
  assert.equal((await griot.rollout()).mode, "on");
  await griot.remember({ text: "Postgress keeps the orders", entities: ["Postgress:tool"] });
  const { merge } = await griot.merge({ kept: "tool:postgresql", merged: "tool:postgress" });
  assert.ok((await griot.merges()).merges.length > 0);
  await griot.unmerge({ name: merge.id });
  const { suggestions } = await griot.suggestMerges();
  for (const verb of [griot.applyMerge, griot.dismissMerge]) {
    const one = suggestions.pop();
    if (one) await verb({ name: one.id });
    else await assert.rejects(verb({ name: "999" }), NotFound);
  }
  assert.equal((await griot.eraseMemory({ name: decision, dry_run: true })).counts.memories, 1);
  assert.equal((await griot.eraseSource({ name: last })).kind, "source");
  assert.ok((await griot.eraseEntity({ name: "Shop" })).finished_at);
  await assert.rejects(griot.eraseUser({ name: "nobody" }), NotFound);
  assert.deepEqual((await griot.erasures({ verify: true })).map((receipt) => receipt.found), [0, 0]);
  assert.equal(await griot.health(), "ok\n");
  assert.equal(await griot.ready(), "ready\n");
  assert.ok((await griot.metrics()).includes("# EOF"));
  await griot.openApi();
  const all = Object.keys(VERBS).filter((name) => !OWN.includes(name));
  assert.deepEqual([...names].sort(), all.sort());
});

test("every path of the document is a method", async (t) => {
  const server = await Server.started(t);
  const griot = new Griot({ url: server.url });
  const { paths } = (await griot.openApi()) as { paths: Record<string, Record<string, unknown>> };
  // Routes under /api/ are the same verbs in the vocabulary of older memory servers. The drawn graph is
  // binary, for the page.
  const told = Object.entries(paths)
    .filter(([path]) => !path.startsWith("/api/") && path !== "/v1/graph")
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
  assert.deepEqual(Object.values(VERBS).map((verb) => `${verb.method} ${verb.path}`).sort(), told.sort());
  for (const name of Object.keys(VERBS)) {
    assert.equal(typeof (griot as unknown as Record<string, unknown>)[name], "function", name);
  }
});

test("every kind of refusal is a class", () => {
  assert.deepEqual(Object.keys(BY_KIND).sort(), [...REFUSALS].sort());
  for (const [kind, known] of Object.entries(BY_KIND)) {
    const failure = new known({ what: "do it", why: "so" });
    assert.deepEqual([failure.kind, failure.name, failure.message], [kind, known.name, "cannot do it: so"]);
  }
  assert.equal(new BadAnswer({ what: "a", why: "b", hint: "c" }).message, "cannot a: b (hint: c)");
});

test("a scope is that of the client unless the call names one", async (t) => {
  const server = await Server.started(t);
  server.run("workspace", "create", "acme");
  const griot = new Griot({ url: server.url, workspace: "acme", user: "ada", project: "shop" });
  const { id } = await griot.remember({ text: "Ada likes tea" });
  const stored = await griot.show({ name: id });
  assert.deepEqual([stored.user, stored.project], ["ada", "shop"]);
  const count = async (scope: object) =>
    (await griot.recall({ query: "tea", no_floor: true, ...scope })).results.length;
  assert.equal(await count({}), 1);
  assert.equal(await count({ user: "ben" }), 0);
  assert.equal(await count({ workspace: "default" }), 0);
  await assert.rejects(griot.show({ name: id, workspace: "default" }), NotFound);
});

test("what is written in any script comes back as it was", async (t) => {
  const server = await Server.started(t);
  const griot = new Griot({ url: server.url });
  const text = 'Grüße, 世界 🌍 – "quoted" \\ back\nslash \u2028 \x7f';
  const { id } = await griot.remember({ text });
  assert.equal((await griot.show({ name: id })).text, text);
});
