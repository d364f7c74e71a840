// The view of an answer inside a chat client, held by the bridge of the reference package: with the server at
// GRIOT_URL over MCP, and with results that a test makes up.

import { readFile } from "node:fs/promises";
import { expect, test, type FrameLocator, type Page } from "@playwright/test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import axe from "axe-core";
import { build, type Rolldown } from "vite";
import type { View } from "./app-host.js";

const URL_OF_SERVER = process.env["GRIOT_URL"] ?? "http://127.0.0.1:4747";
/** Different in each run, so that a workspace may be used again. */
const RUN = Date.now().toString(36);
const NAME = `Wombat${RUN}`;
const QUESTION = `Why are the sessions of ${NAME} in Redis?`;
const HOST = "http://host.test/";
const SANDBOX = "http://sandbox.test/";
const EXTENSION = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
/** What a host enforces for a document that names no address. */
const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
  + "img-src 'self' data:; media-src 'self' data:; connect-src 'none'; frame-src 'none'; object-src 'none'";

interface Result {
  content: { type: "text"; text: string }[];
  structuredContent?: { text: string; trace: Recall };
  isError?: boolean;
  _meta?: object;
}
interface Answer { id: string; handle: string; text: string; cite: string | null; source: { origin: string } }
interface Recall { results: Answer[]; abstained: string | null }

let client: Client;
/** The document as the server gives it to hosts. */
let served: string;
let hostScript: string;
let cause: string, decision: string, replaced: string;

const call = (name: string, asked: object) =>
  client.callTool({ name, arguments: asked as Record<string, unknown> }) as unknown as Promise<Result>;

async function remember(text: string, more: object = {}): Promise<string> {
  const response = await fetch(`${URL_OF_SERVER}/v1/remember`, { method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ text, source: `https://notes.example/${RUN}`, ...more }) });
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as { handle: string }).handle;
}

test.beforeAll(async () => {
  client = new Client({ name: "specs", version: "1" }, { capabilities: { extensions: EXTENSION } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${URL_OF_SERVER}/mcp`)));
  const { contents } = await client.readResource({ uri: "ui://griot/recall" });
  served = (contents[0] as { text: string }).text;
  replaced = await remember(`The ${NAME} team keeps its sessions in Postgres.`, {
    occurred_at: "2026-01-05" });
  cause = await remember(`The session table of ${NAME} was locked for two hours.`, {
    occurred_at: "2026-02-02" });
  decision = await remember(`We moved the sessions of ${NAME} to Redis.`, { kind: "decision",
    occurred_at: "2026-02-03" });
  await call("link", { source: cause, target: decision, kind: "causal", reason: "the minutes say so" });
  await call("link", { source: decision, target: replaced, kind: "supersedes" });
  const built = (await build({ configFile: false, logLevel: "warn", build: { write: false, minify: false,
    lib: { entry: new URL("app-host.ts", import.meta.url).pathname, formats: ["iife"], name: "host" } },
  })) as Rolldown.RolldownOutput[];
  hostScript = built[0]!.output[0].code;
});

test.afterAll(() => client?.close());

/** Opens a host with the view in it; nothing may leave the frame, and nothing in it may fail. */
async function open(page: Page, view: Omit<View, "src" | "srcdoc"> & { isInline?: boolean } = {},
  answer: (name: string, asked: object) => Promise<Result> = call): Promise<FrameLocator> {
  const { isInline, ...more } = view;
  page.on("pageerror", (error) => { throw error; });
  page.on("console", (message) => expect(message.text()).not.toContain("Content Security Policy"));
  await page.route("**/*", (route) => route.abort());
  await page.route(HOST, (route) => route.fulfill({ contentType: "text/html",
    body: "<!doctype html><html lang=en><title>Host</title><body>" }));
  await page.route(SANDBOX, (route) => route.fulfill({ contentType: "text/html", body: served,
    headers: { "Content-Security-Policy": POLICY } }));
  await page.exposeFunction("callTool", ({ name, arguments: asked }: { name: string; arguments: object }) =>
    answer(name, asked));
  await page.goto(HOST);
  await page.addScriptTag({ content: hostScript });
  await page.evaluate((one) => window.show(one), { ...more, ...(isInline ? { srcdoc: served }
    : { src: SANDBOX }) });
  return page.frameLocator("iframe");
}

/** What a host tells when a model has called `recall`. */
async function tell(page: Page, asked: Record<string, unknown>, result: Result): Promise<void> {
  await page.evaluate(async ([given, answered]) => {
    await window.bridge.sendToolInput({ arguments: given });
    await window.bridge.sendToolResult(answered as never);
  }, [asked, result] as const);
}

async function ask(page: Page, more: object = {}): Promise<void> {
  const asked = { query: QUESTION, ...more };
  await tell(page, asked, await call("recall", asked));
}

async function expectAccessible(page: Page): Promise<void> {
  const frame = page.frame({ url: SANDBOX })!;
  await frame.evaluate(axe.source);
  const serious = await frame.evaluate(async () => {
    const found = await (window as unknown as { axe: typeof axe }).axe.run(document);
    return found.violations.filter((one) => one.impact === "serious" || one.impact === "critical")
      .map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
  });
  expect(serious).toEqual([]);
}

const card = (view: FrameLocator, handle: string) => view.locator(`[data-handle="${handle}"]`);

test("the document is the one that is built here, and hosts are told of it", async () => {
  expect(served).toBe(await readFile(new URL("../dist-app/recall.html", import.meta.url), "utf8"));
  expect(served.length).toBeLessThanOrEqual(150 * 1024);
  const { tools } = await client.listTools();
  const named = (name: string) => tools.find((tool) => tool.name === name)!._meta!["ui"];
  expect(named("recall")).toEqual({ resourceUri: "ui://griot/recall" });
  expect(named("app_recall")).toEqual({ resourceUri: "ui://griot/recall", visibility: ["app"] });
});

test.describe("with the server", () => {
  test("shows the answer as cards with standing, source and causes", async ({ page }) => {
    const view = await open(page);
    await ask(page);
    await expect(view.getByRole("heading", { level: 1 })).toHaveText(QUESTION);
    await expect(card(view, decision)).toContainText("to Redis");
    await expect(card(view, decision).getByTitle(`notes.example/${RUN}`)).toBeVisible();
    await expect(card(view, decision).locator("mark").first()).toBeVisible();
    await expect(view.getByText("Cause and effect")).toBeVisible();
    await expect(view.locator(".steps").first()).toContainText("was locked");
    await card(view, decision).getByRole("button", { name: "How it was found" }).click();
    await expect(card(view, decision).getByText("What the score is made of")).toBeVisible();
    await expectAccessible(page);
    // Pages that are not here are not offered.
    await expect(view.getByText(/in graph/i)).toHaveCount(0);
  });

  test("tells why, what followed, and what came before and after", async ({ page }) => {
    const view = await open(page);
    await ask(page);
    const own = card(view, decision);
    await own.getByRole("button", { name: "Why" }).click();
    await expect(own.locator("griot-story")).toContainText("was locked");
    // By key: while a story opens, what is below it moves away from the mouse.
    await own.getByRole("button", { name: "Before and after" }).press("Enter");
    await expect(own.locator("griot-story li.here")).toContainText("to Redis");
    // A node of a chain leads to its own story, inside the view.
    await view.locator(".chain a.node").first().press("Enter");
    await expect(view.locator("griot-story").first()).toContainText(/What followed|Why|No other memory/);
    await expectAccessible(page);
  });

  test("takes feedback, once for each button", async ({ page }) => {
    const calls: [string, object][] = [];
    const view = await open(page, {}, (name, asked) => {
      calls.push([name, asked]);
      return call(name, asked);
    });
    const earlier = (await call("recall", { query: QUESTION })).content[0]!.text.split(" ").at(-1);
    await ask(page, { feedback: [{ answer: earlier, good: true }], budget: 400, detail: "text" });
    await card(view, decision).getByRole("button", { name: "helped" }).click();
    await expect(card(view, decision).getByRole("status")).toContainText(/counted/);
    const [, asked] = calls.find(([name]) => name === "app_recall")!;
    // The feedback of the model was given by its own call.
    expect(asked).toEqual({ query: QUESTION, rejected: true });
    expect(calls.filter(([name]) => name === "app_feedback")).toHaveLength(1);
  });

  test("tells what narrows the question, and keeps to it", async ({ page }) => {
    const view = await open(page);
    await ask(page, { query: `Where are the sessions of ${NAME}?`, until: "2026-01-20" });
    await expect(view.getByText("until: 2026-01-20")).toBeVisible();
    await expect(card(view, replaced)).toBeVisible();
    // That was later.
    await expect(card(view, decision)).toHaveCount(0);
    await card(view, replaced).getByRole("button", { name: "What followed" }).click();
    await expect(card(view, replaced).locator("griot-story")).toContainText(/Nothing is known|What followed/);
  });

  test("shows what the server refuses, with its hint", async ({ page }) => {
    const view = await open(page);
    const asked = { query: QUESTION, since: "no time at all" };
    await tell(page, asked, await call("recall", asked));
    await expect(view.getByRole("alert")).toContainText("Could not");
    await expect(view.locator("griot-card")).toHaveCount(0);
  });
});

test.describe("with a made result", () => {
  async function made(change: (recall: Recall) => void = () => undefined): Promise<Result> {
    const { structuredContent, content } = await call("recall", { query: QUESTION, detail: "trace" });
    change(structuredContent!.trace);
    return { content, structuredContent: structuredContent! };
  }

  test("what the result holds is not asked again", async ({ page }) => {
    const names: string[] = [];
    const view = await open(page, {}, (name, asked) => {
      names.push(name);
      return call(name, asked);
    });
    await tell(page, { query: QUESTION }, await made());
    await expect(card(view, decision)).toBeVisible();
    expect(names).not.toContain("app_recall");
  });

  test("a hostile memory does nothing", async ({ page }) => {
    const view = await open(page);
    const hostile = `<script>top.owned=1;window.owned=1</script><img src=x onerror="window.owned=1">
      <a href="javascript:window.owned=1">click</a> ${"W".repeat(10_000)} \u202Eright to left`;
    await tell(page, { query: hostile }, await made((recall) => {
      for (const result of recall.results) {
        Object.assign(result, { text: hostile, cite: "javascript:window.owned=1" });
        result.source.origin = "javascript:window.owned=1";
      }
    }));
    await expect(view.locator("griot-card").first()).toContainText("<script>");
    const frame = page.frame({ url: SANDBOX })!;
    expect(await frame.evaluate(() => (window as { owned?: number }).owned)).toBeUndefined();
    expect(await page.evaluate(() => (window as { owned?: number }).owned)).toBeUndefined();
    await expect(view.locator("griot-card img, griot-card script, [href^='javascript']")).toHaveCount(0);
    const wide = await frame.evaluate(() =>
      document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  });

  test("links are opened by the host, or told where it opens none", async ({ page }) => {
    const view = await open(page);
    const origin = `https://notes.example/${RUN}`;
    await tell(page, { query: QUESTION }, await made());
    await view.getByRole("link", { name: "open the page" }).first().click();
    await expect.poll(() => page.evaluate(() => window.opened)).toEqual([origin]);
    await page.evaluate((src) => window.show({ src, mayOpen: false }), SANDBOX);
    await tell(page, { query: QUESTION }, await made());
    await view.getByRole("link", { name: "open the page" }).first().click();
    await expect(view.getByText("opens no links")).toContainText(origin);
    expect(page.context().pages()).toHaveLength(1);
  });

  test("a host that passes no calls on shows the text, and offers nothing that asks", async ({ page }) => {
    const view = await open(page, { mayCall: false });
    await ask(page);
    await expect(view.locator("pre")).toContainText("to Redis");
    await page.evaluate((src) => window.show({ src, mayCall: false }), SANDBOX);
    await tell(page, { query: QUESTION }, await made());
    await expect(card(view, decision)).toBeVisible();
    await expect(view.getByRole("button", { name: "How it was found" }).first()).toBeVisible();
    await expect(view.getByRole("button", { name: "Why" })).toHaveCount(0);
    await expect(view.getByRole("button", { name: "helped" })).toHaveCount(0);
  });

  test("a read-only key is offered no feedback", async ({ page }) => {
    const view = await open(page, {}, async (name, asked) => {
      const result = await call(name, asked);
      if (name === "app_status") Object.assign(result.structuredContent!.trace, { role: "read" });
      return result;
    });
    await ask(page);
    await expect(card(view, decision).getByRole("button", { name: "Why" })).toBeVisible();
    await expect(view.getByRole("button", { name: "helped" })).toHaveCount(0);
  });

  test("says that the memory has changed, that a call failed, that it was cancelled", async ({ page }) => {
    let isBroken = false;
    const view = await open(page, {}, async (name, asked) => {
      if (isBroken) throw new Error("the server is gone");
      return call(name, asked);
    });
    const text = "<stored-memory>\n- #0000000000 (2026): another memory\n</stored-memory>";
    await tell(page, { query: QUESTION }, { content: [{ type: "text", text }] });
    await expect(view.getByText("The memory has changed since")).toBeVisible();
    isBroken = true;
    await page.evaluate((src) => window.show({ src }), SANDBOX);
    await ask(page);
    await expect(view.getByRole("alert")).toContainText("the server is gone");
    await expect(view.locator("pre")).toContainText("to Redis");
    isBroken = false;
    await view.getByRole("button", { name: "Ask again" }).click();
    await expect(card(view, decision)).toBeVisible();
    await page.evaluate((src) => window.show({ src }), SANDBOX);
    await page.evaluate(() => window.bridge.sendToolCancelled({ reason: "by the user" }));
    await expect(view.getByText("The question was cancelled: by the user.")).toBeVisible();
  });

  test("wears the theme of the host, also when it changes, and grows with its content", async ({ page }) => {
    await page.emulateMedia({ colorScheme: "light" });
    const view = await open(page, { theme: "dark" });
    await tell(page, { query: QUESTION }, await made());
    await expect(card(view, decision)).toBeVisible();
    const ground = () => view.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
    const dark = await ground();
    await expectAccessible(page);
    await page.evaluate(() => window.bridge.setHostContext({ theme: "light" }));
    await expect.poll(ground).not.toBe(dark);
    await expectAccessible(page);
    const height = await view.locator("html").evaluate((html) => html.getBoundingClientRect().height);
    await expect.poll(() => page.evaluate(() => window.heights.at(-1))).toBe(Math.ceil(height));
  });

  test("works without an address of its own, at the width of a phone, and ends when it is told", async ({
    page }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    const view = await open(page, { isInline: true });
    await ask(page);
    await card(view, decision).getByRole("button", { name: "Why" }).click();
    await expect(card(view, decision).locator("griot-story")).toContainText("was locked");
    const wide = await view.locator("html").evaluate((html) => html.scrollWidth - html.clientWidth);
    expect(wide).toBeLessThanOrEqual(0);
    expect(await page.evaluate(() => window.bridge.teardownResource({}))).toEqual({});
  });
});
