import { describe, expect, it, vi } from "vitest";
import { GriotError } from "../../sdk/typescript/src/errors.js";
import type { Recall } from "../../sdk/typescript/src/types.js";
import { Host } from "../app/host.js";
import { answerIn, failureIn, filtersOf, givenOf, objectIn, questionOf, textIn } from "../app/told.js";
import { changed, link, place } from "../src/address.js";

vi.stubGlobal("location", { hash: "" });

/** A host that answers by `answer`, and what it was sent. */
function around(answer: (method: string) => object = () => ({ result: {} })) {
  const own = new EventTarget();
  const sent: { id?: number; method?: string; params?: object; result?: unknown; error?: unknown }[] = [];
  const frame = { postMessage: (message: (typeof sent)[0]) => {
    sent.push(message);
    if (message.id !== undefined && message.method !== undefined) {
      hear({ jsonrpc: "2.0", id: message.id, ...answer(message.method) });
    }
  } };
  const hear = (data: unknown, source: unknown = frame) =>
    own.dispatchEvent(Object.assign(new Event("message"), { data, source }));
  const host = new Host(own, frame as unknown as Window);
  return { host, hear, sent };
}

describe("the chat client", () => {
  it("is greeted, and tells what it can do and how it looks", async () => {
    const { host, hear, sent } = around(() => ({ result: {
      hostCapabilities: { serverTools: {} }, hostContext: { theme: "dark" } } }));
    const seen: unknown[] = [];
    host.addEventListener("context", () => seen.push(host.context));
    await host.open("1");
    expect(sent.map((one) => one.method)).toEqual(["ui/initialize", "ui/notifications/initialized"]);
    expect(sent[0]!.params).toMatchObject({ protocolVersion: "2026-01-26" });
    expect(host.mayCall).toBe(true);
    hear({ jsonrpc: "2.0", method: "ui/notifications/host-context-changed", params: { locale: "de" } });
    expect(seen).toEqual([{ theme: "dark" }, { theme: "dark", locale: "de" }]);
  });

  it("is the window around the frame and no other", () => {
    const { host, hear } = around();
    const heard: unknown[] = [];
    const method = "ui/notifications/tool-input";
    host.addEventListener(method, (event) => heard.push((event as CustomEvent).detail));
    const told = { jsonrpc: "2.0", method, params: { arguments: { query: "q" } } };
    hear(told, {});
    const nonsense = [null, "text", 5, {}, { jsonrpc: "1.0", method: "x" }, { jsonrpc: "2.0", id: 77 }];
    for (const one of nonsense) hear(one);
    expect(heard).toEqual([]);
    hear(told);
    expect(heard).toEqual([told.params]);
  });

  it("may refuse a call, and is told which of its own are not known", async () => {
    const { host, hear, sent } = around(() => ({ error: { code: -32000, message: "denied" } }));
    await expect(host.call("app_recall", {})).rejects.toThrow("denied");
    await expect(host.openLink("https://a.example")).rejects.toThrow("denied");
    sent.length = 0;
    hear({ jsonrpc: "2.0", id: 1, method: "ping" });
    hear({ jsonrpc: "2.0", id: "a", method: "ui/resource-teardown", params: {} });
    hear({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    expect(sent.map(({ id, result }) => [id, result])).toEqual([[1, {}], ["a", {}], [2, undefined]]);
    expect(sent[2]!.error).toMatchObject({ code: -32601 });
  });

  it("may open no link without an error of the protocol", async () => {
    const { host } = around(() => ({ result: { isError: true } }));
    await expect(host.openLink("https://a.example")).rejects.toThrow("refused");
  });
});

describe("what is told", () => {
  it("is asked again with all filters, and without what is for the model", () => {
    const given = { query: "why?", budget: 300, detail: "text", as_of: "2026-03", tags: ["a"],
      feedback: [{ answer: "q-1", good: true }] };
    expect(questionOf(given)).toEqual({ query: "why?", as_of: "2026-03", tags: ["a"], rejected: true });
    expect(questionOf({}).query).toBe("");
    const asked = { ...questionOf(given), kinds: ["decision", "fact"], user: "", trusted: false };
    expect(filtersOf(asked)).toEqual([["as of", "2026-03"], ["tags", "a"], ["kinds", "decision, fact"]]);
  });

  it("holds the object of the answer, or only a text", () => {
    const content = [{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }];
    expect(objectIn({ content })).toBeNull();
    expect(textIn({ content })).toBe("a\nb");
    expect(answerIn({ structuredContent: { text: "a", trace: { results: [] } } })).toEqual({ results: [] });
    expect(() => answerIn({ content })).toThrow("did not pass");
  });

  it("may be a refusal, with its hint", () => {
    const error = { kind: "forbidden", what: "take feedback", why: "the key may only read",
      hint: "ask for one", candidates: [] };
    const refused = failureIn({ isError: true, _meta: { "griot/error": error } });
    expect(refused).toBeInstanceOf(GriotError);
    expect(refused).toMatchObject({ kind: "forbidden", what: "take feedback", hint: "ask for one" });
    expect(() => answerIn({ isError: true, _meta: { "griot/error": error } })).toThrow("may only read");
    const plain = failureIn({ isError: true, content: [{ type: "text", text: "no such tool" }] });
    expect(plain.message).toBe("no such tool");
  });

  it("is compared with what the model read", () => {
    const recall = { results: [{ handle: "#a1b2c3" }, { handle: "#d4e5f6" }] } as Recall;
    const text = "### Memories:\n- #a1b2c3 (2026-02-03): It says\n  - #ffffff (it is quoted)\n- and 1 more";
    expect(givenOf(text, recall)).toEqual({ count: 1, isOther: false });
    expect(givenOf(`${text}\n- #0000aa (2026-01-01): Gone.`, recall)).toEqual({ count: 1, isOther: true });
  });
});

describe("the address", () => {
  it("is changed without touching what it was", () => {
    const before = place(link("ask", { q: "why?", of: "#a1" }));
    expect(changed(before, { of: "", view: "why" })).toBe("#/ask?q=why%3F&view=why");
    expect(before.parameters.get("of")).toBe("#a1");
  });
});
