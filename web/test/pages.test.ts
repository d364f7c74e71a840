import { describe, expect, it, vi } from "vitest";
import type { Fact, Hop, Job, Memory, Offer, RecallResult, SourceView,
  WhyStep } from "../../sdk/typescript/src/types.js";
import { safeAddress, shortOrigin } from "../src/parts/citation.js";
import { paced } from "../src/parts/changes.js";
import { done, paceOf } from "../src/parts/jobs.js";
import { excerpt, unmarked } from "../src/parts/text.js";
import { duration, percent } from "../src/parts/told.js";
import { standing } from "../src/parts/words.js";
import { choicesOf, endsOf, itemsOf, ofOffer, ofSuggestion } from "../src/pages/review/choices.js";
import { Queue, Settled, type Choice } from "../src/pages/review/queue.js";

// The session reads where the page is served as soon as it is loaded.
vi.hoisted(() => {
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("location", { origin: "http://127.0.0.1:4747", hash: "" });
  vi.stubGlobal("sessionStorage", { getItem: () => null });
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
});

const { questionOf } = await import("../src/pages/ask.js");
const { moves } = await import("../src/pages/answer.js");
const { longest, valuesOverTime } = await import("../src/pages/story.js");
const { rowsOf } = await import("../src/pages/sources.js");
const { part, removed } = await import("../src/pages/source.js");
const { crawlOf } = await import("../src/pages/crawl.js");
const { actionsOf } = await import("../src/pages/job-list.js");
const { callsByDay } = await import("../src/pages/health.js");
const { wordsOf } = await import("../src/pages/review/evidence.js");

const words = (text: string, terms: string[], length = 1000) =>
  excerpt(text, terms, length).pieces.filter((piece) => piece.marked).map((piece) => piece.text);

it("leaves out marks of bold and code, and no other signs", () => {
  expect(unmarked("**Ada** (09:12): run `make export` now")).toBe("Ada (09:12): run make export now");
  for (const text of ["f(**a, **b)", "2 ** 8 ** 2", "`", "a * b * c", "__init__"]) expect(unmarked(text)).toBe(text);
});

describe("excerpt", () => {
  it("marks words that begin with a stem of the question", () => {
    expect(words("We queried the queues; one query failed.", ["queri", "queue"])).toEqual(["queried",
      "queues", "query"]);
  });

  it("does not mark longer words that only begin alike", () => {
    expect(words("Google goes where we go.", ["go"])).toEqual(["goes", "go"]);
  });

  it("folds case and accents, and finds terms of scripts without spaces", () => {
    expect(words("Über die MÜNCHNER Straße", ["munchn"])).toEqual(["MÜNCHNER"]);
    expect(words("我们把队列移到兔子", ["队列"])).toEqual(["队列"]);
  });

  it("keeps the text whole if it is short, and never loses a character of the window", () => {
    const text = "a <script>alert(1)</script> b";
    expect(excerpt(text, ["script"], 1000).pieces.map((piece) => piece.text).join("")).toBe(text);
  });

  it("shows the window with most different terms and does not cut words", () => {
    const text = `${"alpha filler ".repeat(60)}the redis queue lost messages ${"beta filler ".repeat(60)}`;
    const shown = excerpt(text, ["redi", "queue", "lost", "alpha"], 80);
    const joined = shown.pieces.map((piece) => piece.text).join("");
    expect(joined).toContain("redis queue lost");
    expect(shown.cutBefore && shown.cutAfter).toBe(true);
    expect(text.split(/\s+/)).toEqual(expect.arrayContaining(joined.trim().split(/\s+/)));
  });

  it("shows the beginning of a long text without any term, even of one endless word", () => {
    expect(excerpt("x".repeat(10_000), ["redi"], 100).pieces[0]!.text).toHaveLength(100);
  });
});

describe("addresses", () => {
  it("opens only http and https", () => {
    expect(safeAddress("https://example.org/a")).toBe("https://example.org/a");
    for (const bad of ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "file:///etc/passwd",
      "notes.md", "", null]) {
      expect(safeAddress(bad)).toBeNull();
    }
  });

  it("cuts a long origin in the middle", () => {
    expect(shortOrigin("a".repeat(10_000), 21)).toBe(`${"a".repeat(10)}…${"a".repeat(10)}`);
  });

  it("reads the question from the address", () => {
    expect(questionOf(new URLSearchParams("as_of=2026-03"))).toBeNull();
    expect(questionOf(new
      URLSearchParams("q=+why+&as_of=2026-03&user=ada&graph=both&answer=1&trusted=1"))).toEqual({
      request: { query: "why", rejected: true, as_of: "2026-03", user: "ada", trusted: true },
      graph: "both",
      answer: true,
    });
    expect(questionOf(new URLSearchParams("q=x&graph=%3Cscript%3E"))!.graph).toBe("");
  });
});

describe("answers", () => {
  const result = (id: string) => ({ id }) as RecallResult;

  it("tells how ranks differ between the strategies", () => {
    const moved = moves(["a", "b", "c"].map(result), ["c", "a"].map(result));
    expect([...moved]).toEqual([["a", 1], ["b", null], ["c", -2]]);
  });

  it("says a standing in words, and whether it was only read", () => {
    const of = { is: "outdated", since: "2026-03-01T00:00:00Z", until: null, by: null, by_handle: null,
      certain: false };
    expect(standing(of).words).toMatch(/^outdated since .*2026.*, read from the texts$/);
  });

  it("leaves out chains that are part of a longer one", () => {
    const step = (...edges: string[]) => ({ hops: edges.map((edge) => ({ edge }) as Hop) }) as WhyStep;
    const all = [step("e1"), step("e2", "e1"), step("e3"), step("e3")];
    expect(longest(all)).toEqual([all[1], all[2]]);
  });

  it("puts values of a thing on one axis", () => {
    const fact = (predicate: string, from: string | null, to: string | null) =>
      ({ predicate, valid_from: from, valid_to: to, superseded_at: null, recorded_at: "2026-01-06T00:00:00Z"
        }) as Fact;
    const now = Date.parse("2026-01-11T00:00:00Z");
    const { rows } = valuesOverTime([
      fact("runs_on", "2026-01-06T00:00:00Z", null),
      fact("runs_on", "2026-01-01T00:00:00Z", "2026-01-06T00:00:00Z"),
      fact("prefers", null, null),
    ], now);
    expect(rows.map((row) => row.predicate)).toEqual(["runs_on", "prefers"]);
    expect(rows[0]!.spans.map(({ at, share, begins, ends }) => ({ at, share, begins, ends }))).toEqual([
      { at: 0, share: 0.5, begins: true, ends: true },
      { at: 0.5, share: 0.5, begins: true, ends: false },
    ]);
    expect(rows[1]!.spans[0]).toMatchObject({ at: 0, share: 1, begins: false });
  });
});

describe("sources", () => {
  const view = (id: string, origin: string, memories: number, tags: string[] = []) =>
    ({ source: { id, kind: "file", origin, title: null, tags, updated_at: id }, memories, entities: 0,
      edges: 0 }) as unknown as SourceView;
  const all = [view("s1", "a.md", 3, ["docs"]), view("s2", "B.md", 10), view("s3", "notes/a.md", 1)];
  const ids = (query: string) => rowsOf([...all], new URLSearchParams(query)).map((one) => one.source.id);

  it("filters by words, type and tag, and sorts both ways", () => {
    expect(ids("")).toEqual(["s3", "s2", "s1"]);
    expect(ids("filter=A.MD+notes")).toEqual(["s3"]);
    expect(ids("tag=docs")).toEqual(["s1"]);
    expect(ids("type=page")).toEqual([]);
    expect(ids("sort=-memories")).toEqual(["s2", "s1", "s3"]);
    expect(ids("sort=name")).toEqual(["s1", "s2", "s3"]);
    expect(ids("sort=nonsense")).toHaveLength(3);
  });

  it("opens a long source around the memory that is asked for", () => {
    const memories = Array.from({ length: 1000 }, (_, at) => ({ handle: `#${at}` }) as Memory);
    expect(part(memories, null, 100).from).toBe(0);
    expect(part(memories, "#gone", 100).from).toBe(0);
    const { from, list } = part(memories, "#700", 100);
    expect(list.some((memory) => memory.handle === "#700")).toBe(true);
    expect(list).toHaveLength(100);
    expect(memories[from]).toBe(list[0]);
  });

  it("says what an erasure removes, and not what it does not", () => {
    const counts = { memories: 1, vectors: 2, entities: 0 } as Parameters<typeof removed>[0];
    expect(removed(counts)).toEqual(["1 memory", "2 vectors"]);
  });

  it("leaves to the settings what the form of a crawl does not say", () => {
    const form = new FormData();
    form.set("url", " https://example.org ");
    form.set("mode", "");
    form.set("max_pages", "20");
    form.set("allow", "/docs/**\n/guide/**\n");
    form.set("tags", "a, b");
    expect(crawlOf(form)).toEqual({
      url: "https://example.org", max_pages: 20, allow: ["/docs/**", "/guide/**"], tags: ["a", "b"],
    });
  });
});

describe("jobs", () => {
  const job = (state: string, failed = 0) =>
    ({ state, counts: { discovered: 10, processed: 4, failed, skipped: 2 } }) as Job;

  it("tells rate and time left only when they are known", () => {
    expect(paceOf([], 10)).toEqual({ rate: null, left: null });
    expect(paceOf([{ at: 0, done: 3 }, { at: 1000, done: 3 }], 10)).toEqual({ rate: null, left: null });
    expect(paceOf([{ at: 0, done: 1 }, { at: 2000, done: 5 }], 25)).toEqual({ rate: 2, left: 10 });
    expect(paceOf([{ at: 0, done: 1 }, { at: 2000, done: 5 }], 3).left).toBe(0);
  });

  it("counts what needs no more work, never more than there is", () => {
    expect(done(job("running", 1).counts)).toBe(7);
    expect(done(job("running", 100).counts)).toBe(10);
  });

  it("offers what the state allows", () => {
    expect(["running", "paused", "failed", "done", "cancelled"].map((state) => actionsOf(job(state))))
      .toEqual([["pause", "cancel"], ["resume", "cancel"], ["retry"], [], []]);
    expect(actionsOf(job("done", 2))).toEqual(["retry"]);
  });

  it("follows a burst of changes with few requests, and misses none", () => {
    vi.useFakeTimers();
    const run = vi.fn();
    const follow = paced(run);
    for (let at = 0; at < 50; at += 1) {
      follow();
      vi.advanceTimersByTime(100);
    }
    vi.advanceTimersByTime(5000);
    expect(run.mock.calls.length).toBeGreaterThan(3);
    expect(run.mock.calls.length).toBeLessThan(7);
    vi.useRealTimers();
  });

  it("says times and shares in words", () => {
    expect([0.2, 59, 90, 3700].map(duration)).toEqual(["1 s", "59 s", "2 min", "1 h 2 min"]);
    expect(percent(0.5)).toBe("50 %");
  });

  it("adds up the requests of each of the last 30 days", () => {
    type Row = Parameters<typeof callsByDay>[0][0];
    const row = (day: string, calls: number) => ({ day: `${day}T00:00:00Z`, calls }) as Row;
    const days = callsByDay(
      [row("2026-03-31", 1), row("2026-03-30", 4), row("2026-03-31", 2), row("2026-01-01", 9)],
      Date.parse("2026-03-31T12:00:00Z"),
    );
    expect(days).toHaveLength(30);
    expect(days.slice(-2).map((one) => one.calls)).toEqual([4, 3]);
    expect(days.reduce((sum, one) => sum + one.calls, 0)).toBe(7);
    expect(days[0]!.day).toBe("2026-03-02T00:00:00.000Z");
  });
});

describe("review", () => {
  interface Thing { key: string }
  const things = (...keys: string[]): Thing[] => keys.map((key) => ({ key }));
  const queueOf = (...keys: string[]) => {
    const queue = new Queue<Thing>(() => undefined, (failure) => (failure as Error).message);
    queue.load(things(...keys));
    return queue;
  };
  const sent: string[] = [];
  const choice = (given: Partial<Choice> = {}): Choice => ({
    key: "y", words: "Yes", isFinal: false,
    send: async () => ({ said: "done", undo: async () => ({ said: "back", isOpen: true }) }), ...given,
  });
  const keys = (queue: Queue<Thing>) => queue.items.map((item) => item.key);

  it("shows the next item at once, while the decision is sent in the background", async () => {
    const queue = queueOf("a", "b", "c");
    queue.decide(choice({ send: () => new Promise(() => undefined) }));
    expect(queue.current!.key).toBe("b");
    expect(queue.decided[0]!.state).toBe("sending");
  });

  it("says that an item was decided elsewhere, and not that another kind is shown", () => {
    const queue = queueOf("a", "b");
    queue.load(things("b"));
    expect(queue.notice).toContain("decided elsewhere");
    queue.replace(things("c"));
    expect([queue.notice, queue.current!.key]).toEqual(["", "c"]);
  });

  it("sends one decision after the other", async () => {
    const queue = queueOf("a", "b");
    sent.length = 0;
    for (const name of ["a", "b"]) {
      queue.decide(choice({ send: async () => {
        sent.push(`${name} begins`);
        await new Promise((next) => setTimeout(next, 5));
        sent.push(`${name} ends`);
        return { said: "", undo: null };
      } }));
    }
    await queue.flush();
    expect(sent).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });

  it("takes back what was sent, and shows it again", async () => {
    const queue = queueOf("a", "b");
    queue.decide(choice());
    await queue.flush();
    queue.undo();
    await queue.flush();
    expect(queue.decided[0]).toMatchObject({ state: "undone", said: "back" });
    expect(queue.current!.key).toBe("a");
    expect(keys(queue)).toEqual(["a", "b"]);
  });

  it("takes a decision back that is still on the way", async () => {
    const queue = queueOf("a", "b");
    queue.decide(choice());
    queue.undo();
    queue.undo();
    await queue.flush();
    expect(queue.decided.map((one) => one.state)).toEqual(["undone"]);
    expect(keys(queue)).toEqual(["a", "b"]);
  });

  it("holds back what cannot be taken back, and sends it when the page is left", async () => {
    const queue = queueOf("a", "b");
    const send = vi.fn(async () => ({ said: "", undo: null }));
    queue.decide(choice({ isFinal: true, send }));
    queue.undo();
    expect(queue.current!.key).toBe("a");
    await queue.flush();
    expect(send).not.toHaveBeenCalled();
    expect(queue.isUnsent).toBe(false);
    queue.decide(choice({ isFinal: true, send }));
    expect(queue.isUnsent).toBe(true);
    await queue.flush();
    expect(queue.isUnsent).toBe(false);
    expect(send).toHaveBeenCalledTimes(1);
    expect(queue.undoable).toBeNull();
  });

  it("tells the second person what was decided, and does not ask again", async () => {
    const queue = queueOf("a", "b");
    queue.decide(choice({ send: async () => { throw new Settled("it was applied"); } }));
    await queue.flush();
    expect(queue.decided[0]).toMatchObject({ state: "refused", said: "it was applied" });
    expect(keys(queue)).toEqual(["b"]);
  });

  it("asks again about what failed", async () => {
    const queue = queueOf("a", "b");
    queue.decide(choice({ send: async () => { throw new Error("no answer"); } }));
    await queue.flush();
    expect(keys(queue)).toEqual(["b", "a"]);
  });

  it("keeps its order when it is loaded again, and notices that the item in the middle is gone", () => {
    const queue = queueOf("a", "b", "c");
    queue.skip();
    expect(keys(queue)).toEqual(["b", "c", "a"]);
    queue.load(things("a", "c", "d"));
    expect(keys(queue)).toEqual(["c", "a", "d"]);
    expect(queue.current!.key).toBe("c");
    expect(queue.notice).not.toBe("");
  });

  it("does not bring back what was decided a moment ago", () => {
    const queue = queueOf("a", "b");
    queue.decide(choice({ isFinal: true }));
    queue.load(things("a", "b"));
    expect(keys(queue)).toEqual(["b"]);
  });

  it("moves in a ring and survives an empty queue", () => {
    const queue = queueOf("a", "b");
    queue.move(-1);
    expect(queue.current!.key).toBe("b");
    queue.move(1);
    expect(queue.current!.key).toBe("a");
    const none = queueOf();
    none.move(1);
    none.skip();
    none.decide(choice());
    none.undo();
    expect(none.current).toBeNull();
  });

  const memory = (name: string, at: string) => ({ type: "memory", id: name, name, occurred_at: at });
  const offer = (kind: string, state = "open") => ({
    id: "o1", kind, state, settled_at: null,
    newer: memory("#new", "2026-01-01T00:00:00Z"), other: memory("#old", "2026-02-01T00:00:00Z"),
    source: "#new", target: "#old", sub_type: kind === "cause" ? "prevents" : null,
  }) as unknown as Offer;

  it("takes for the cause what the offer does, whichever was stored first", () => {
    const names = (one: Offer) => endsOf(one).map((end) => end.name);
    expect(names(offer("cause"))).toEqual(["#new", "#old"]);
    expect(names({ ...offer("cause"), source: "#old", target: "#new" })).toEqual(["#old", "#new"]);
  });

  it("asks for the likeliest first, merges before offers", () => {
    const likely = (id: string, probability: number) => ({ ...offer("cause"), id, probability });
    const alike = (id: string, likeness: number) => ({ id, likeness }) as Parameters<typeof ofSuggestion>[0];
    const items = itemsOf([alike("p1", 0.7), alike("p2", 0.9)], [likely("o1", 0.2), likely("o2", 0.6)], [], []);
    expect(items.map((one) => one.key)).toEqual(["p2", "p1", "o2", "o1"]);
  });

  it("links in the other direction when a cause is turned round", async () => {
    const link = vi.fn(async () => ({ created: true, warnings: [] }));
    const client = { offers: async () => [offer("cause")], link } as unknown as Parameters<typeof
      choicesOf>[1];
    const turned = choicesOf(ofOffer(offer("cause")), client, {}).find((one) => one.key === "t")!;
    await turned.send();
    expect(link).toHaveBeenCalledWith({ source: "#old", target: "#new", kind: "causal", label: "prevents" });
  });

  it("does not link what somebody else decided", async () => {
    const link = vi.fn();
    const client = { offers: async () => [offer("replacement", "refused")],
      link } as unknown as Parameters<typeof choicesOf>[1];
    const yes = choicesOf(ofOffer(offer("replacement")), client, {})[0]!;
    await expect(yes.send()).rejects.toThrow(Settled);
    expect(link).not.toHaveBeenCalled();
  });

  it("has no key twice for one item", () => {
    const client = {} as Parameters<typeof choicesOf>[1];
    const suggestion = { id: "p1", kept: { name: "a" }, merged: { name: "b" } } as Parameters<typeof
      ofSuggestion>[0];
    for (const item of [ofOffer(offer("cause")), ofOffer(offer("replacement")), ofSuggestion(suggestion)]) {
      const used = choicesOf(item, client, {}).map((one) => one.key);
      expect(new Set([...used, "u", "s", "j", "k"]).size).toBe(used.length + 4);
    }
  });

  it("compares words of texts without short ones", () => {
    expect(wordsOf("Der Pool war zu klein: Pool-Größe 5")).toEqual(["pool", "klein", "große"]);
  });
});
