// Ask, Sources, Rollout and health, against the running server at GRIOT_URL. All data is made here,
// under names that no other test uses.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test, type Page } from "@playwright/test";
import axe from "axe-core";
import { get, open, post, remember, RUN, URL, type Stored } from "./server.js";

const NAME = `Quokka${RUN}`;

async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const serious = await page.evaluate(async () => {
    const found = await (window as unknown as { axe: typeof axe }).axe.run(document);
    return found.violations.filter((one) => one.impact === "serious" || one.impact === "critical")
      .map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
  });
  expect(serious).toEqual([]);
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const wide = await page.evaluate(() =>
    document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide).toBeLessThanOrEqual(0);
}

let cause: Stored, decision: Stored, replaced: Stored;

test.beforeAll(async () => {
  replaced = await remember(`The ${NAME} team keeps its sessions in Postgres.`, { occurred_at: "2026-01-05"
    });
  cause = await remember(`The session table of ${NAME} was locked for two hours on Monday.`, {
    occurred_at: "2026-02-02" });
  decision = await remember(`We moved the sessions of ${NAME} to Redis.`, { kind: "decision",
    occurred_at: "2026-02-03" });
  await post("/v1/link", { source: cause.handle, target: decision.handle, kind: "causal", label: "causes",
    reason: "the minutes say so" });
  await post("/v1/link", { source: decision.handle, target: replaced.handle, kind: "supersedes" });
  await post("/v1/facts", { subject: NAME, predicate: "runs_on", object: `Postgres ${RUN}`,
    valid_from: "2026-01-05" });
  await post("/v1/facts", { subject: NAME, predicate: "runs_on", object: `Redis ${RUN}`,
    valid_from: "2026-02-03" });
});

test.describe("Ask", () => {
  test("answers with cards that say whether they hold, and keeps the question in the address", async ({
    page }) => {
    await open(page, "#/ask");
    await page.getByLabel("Question").fill(`Where are the sessions of ${NAME}?`);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    const card = page.locator(`[data-handle="${decision.handle}"]`);
    await expect(card).toContainText("to Redis");
    await expect(card.locator("mark").first()).toBeVisible();
    await expect(card.locator("header")).toContainText("current since");
    expect(page.url()).toContain(`q=Where+are+the+sessions+of+${NAME}`);
    await page.reload();
    await expect(card).toBeVisible();
    await page.getByText("with what was replaced").isVisible();
    await page.locator("details.more summary").click();
    await page.getByLabel("with what was replaced").check();
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await expect(page.locator(`[data-handle="${replaced.handle}"] header`)).toContainText("outdated since");
  });

  test("shows how an answer was found, why it is so, and what followed, from left to right", async ({
    page }) => {
    await open(page, `#/ask?q=${encodeURIComponent(`Why did we move the sessions of ${NAME}?`)}`);
    const card = page.locator(`[data-handle="${decision.handle}"]`).first();
    await card.getByRole("button", { name: "How it was found" }).click();
    await expect(card.getByText("What the score is made of")).toBeVisible();
    await expect(card.getByRole("link", { name: /in graph/ }).first()).toHaveAttribute("href",
      /#\/explore\?around=/);
    await card.getByRole("button", { name: "Why", exact: true }).click();
    const nodes = card.locator(".steps .node");
    await expect(nodes).toHaveCount(2);
    await expect(nodes.first()).toContainText("locked for two hours");
    const [left, right] = [await nodes.nth(0).boundingBox(), await nodes.nth(1).boundingBox()];
    expect(left!.x).toBeLessThan(right!.x);
    await card.locator(".arrow summary").click();
    await expect(card.locator(".arrow")).toContainText("the minutes say so");
    expect(page.url()).toContain("view=why");
    await open(page, `#/ask?of=${encodeURIComponent(cause.handle)}&view=followed`);
    await expect(page.locator(".story .steps")).toContainText("to Redis");
  });

  test("draws the values of a thing over time", async ({ page }) => {
    await open(page, `#/ask?of=${NAME}&view=timeline`);
    const rows = page.locator(".values li");
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toContainText(`Postgres ${RUN}`);
    await expect(rows.last()).toContainText("holds");
    await expect(page.locator(".events li").first()).toContainText("Postgres");
    await open(page, `#/ask?q=${NAME}&of=${encodeURIComponent(decision.handle)}&view=timeline`);
    await expect(page.locator(".events .here")).toContainText("to Redis");
  });

  test("compares the answers with and without the graph, and tells what was left out", async ({ page }) => {
    await open(page, `#/ask?q=${encodeURIComponent(`sessions of ${NAME}`)}&graph=both`);
    await expect(page.getByRole("heading", { name: "Without the graph" })).toBeVisible();
    await expect(page.locator(".beside ol.cards")).toHaveCount(2);
    await page.locator(".trace summary").click();
    await expect(page.locator(".trace tbody tr").first()).toBeVisible();
  });

  test("counts feedback and hands out the context", async ({ page }) => {
    await open(page, `#/ask?q=${encodeURIComponent(`sessions of ${NAME}`)}`);
    const card = page.locator(`[data-handle="${decision.handle}"]`);
    await card.getByRole("button", { name: "helped" }).click();
    await expect(card.locator(".verdict [role=status]")).toHaveText(/^counted/);
    await page.getByRole("button", { name: "Copy as context" }).click();
    await expect(page.getByLabel("Context for a language model")).toHaveValue(new RegExp(NAME));
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  });

  test("tells a silence and a missing model as the server says it", async ({ page }) => {
    await open(page, "#/ask?q=Which+river+flows+through+Vienna&answer=1");
    await expect(page.locator(".silent").filter({ hasText: "nothing relevant" })).toBeVisible();
    await expect(page.locator(".silent").filter({ hasText: "No language model is set" })).toBeVisible();
  });

  test("cites the memories of a model's answer, and marks what it invented", async ({ page }) => {
    // The tests have no model; the answer around the memories is the server's own.
    await page.route("**/v1/answer", async (route) => {
      const { query } = route.request().postDataJSON() as { query: string };
      const recall = await post<object>("/v1/recall", { query });
      await route.fulfill({ json: {
        query, text: "They are in Redis.", supported: false, cited: [], recall,
        abstained: null, truncated: false, failure: null,
        statements: [
          { text: "They are in Redis.", citations: [decision.handle], invented: [], supported: true },
          { text: "Mars agrees.", citations: [], invented: ["#ffffff"], supported: false },
        ],
        withheld: [{ handle: "#000000", id: "x", reason: "private" }],
        model: {
          provider: "test", name: "a model", kept: false, calls: 1, input_tokens: 10, output_tokens: 5, cost: null,
        },
      } });
    });
    await open(page, `#/ask?q=${encodeURIComponent(`sessions of ${NAME}`)}&answer=1`);
    const spoken = page.locator(".spoken");
    await expect(spoken).toContainText("cites #ffffff, which it was not given");
    await expect(spoken).toContainText("#000000 (private)");
    await spoken.getByRole("button", { name: decision.handle }).click();
    await expect(page.locator(`[data-handle="${decision.handle}"]`)).toBeFocused();
    await expectAccessible(page);
  });

  test("shows a time that cannot be read as the server's error", async ({ page }) => {
    await open(page, "#/ask?q=x&as_of=the+day+of+never");
    await expect(page.locator(".told").first()).toBeVisible();
  });

  test("asks in the scope of a user, and keeps it on the way to the source", async ({ page }) => {
    const own = await remember(`Ada hides the spare key of ${NAME} below the fern.`, { user: `ada${RUN}` });
    const card = page.locator(`[data-handle="${own.handle}"]`);
    await open(page, `#/ask?q=${encodeURIComponent(`spare key fern ${NAME}`)}&user=ben`);
    await expect(page.locator(".summary")).toBeVisible();
    await expect(card).toHaveCount(0);
    await page.getByLabel("User").fill(`ada${RUN}`);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await expect(card).toBeVisible();
    await card.locator(".about a").first().click();
    await expect(page.locator(`li.here[data-memory="${own.handle}"]`)).toBeVisible();
    expect(page.url()).toContain(`user=ada${RUN}`);
  });

  test("offers things and the latest memories before a question", async ({ page }) => {
    await open(page, "#/ask");
    await expect(page.getByRole("heading", { name: "Stored last" })).toBeVisible();
    await page.locator(".events .handle").first().click();
    await expect(page.locator(".story .node").first()).toBeVisible();
    await page.getByRole("button", { name: "Over time" }).click();
    expect(page.url()).toContain("view=timeline");
    await page.getByRole("button", { name: "Close" }).click();
    await expect(page.locator(".story")).toHaveCount(0);
  });

  test("opens a citation at its place", async ({ page }) => {
    await open(page, `#/ask?q=${encodeURIComponent(`sessions of ${NAME}`)}`);
    await page.locator(`[data-handle="${decision.handle}"] .about a`).first().click();
    await expect(page.locator(`li.here[data-memory="${decision.handle}"]`)).toBeInViewport();
  });
});

test.describe("Sources", () => {
  test("a forgotten source says so, also after a reload, and can be restored", async ({ page }) => {
    const name = `quokka${RUN}.md`;
    const { sourceId } = await post<{ sourceId: string }>("/api/knowledge/ingest", {
      type: "text", content: `# Quokkas ${RUN}\n\nThey live on an island.`, name });
    await post("/v1/forget", { name: sourceId });
    await open(page, `#/sources?source=${sourceId}`);
    await expect(page.getByText("no answer has it")).toBeVisible();
    await expect(page.getByRole("button", { name: "Forget…" })).toHaveCount(0);
    await page.getByRole("button", { name: "Restore it" }).click();
    await expect(page.getByRole("button", { name: "Forget…" })).toBeVisible();
    await expect(page.getByText("no answer has it")).toHaveCount(0);
  });

  test("stores files that are chosen or dropped, with tags", async ({ page }) => {
    await open(page, "#/sources?add=1");
    await page.locator("griot-upload input[name=tags]").fill(`tag${RUN}, docs`);
    const koala = Buffer.from(`# Koala ${RUN}\n\nThe Koala team uses Kafka.`);
    await page.locator("griot-upload input[type=file]").setInputFiles([
      { name: `koala-${RUN}.md`, mimeType: "text/markdown", buffer: koala },
      { name: `odd-${RUN}.xyz`, mimeType: "application/octet-stream", buffer: Buffer.from([0, 1, 2, 255]) },
    ]);
    await expect(page.locator(".uploads li").filter({ hasText: "koala" })).toContainText("memor");
    const odd = page.locator(".uploads li").filter({ hasText: "odd" });
    await expect(odd.locator(".bad").first()).toBeVisible();
    await page.evaluate((name) => {
      const data = new DataTransfer();
      data.items.add(new File(["# Dropped\n\nThe Potoroo team uses Nats."], name, { type: "text/markdown" }));
      const drop = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
      document.querySelector(".drop")!.dispatchEvent(drop);
    }, `potoroo-${RUN}.md`);
    await expect(page.locator(".uploads li").filter({ hasText: "potoroo" })).toContainText("memor");
    await page.goto(`${URL}/#/sources?tag=tag${RUN}`);
    await expect(page.locator(".sources tbody tr")).toHaveCount(2);
    await page.getByLabel("Filter").fill("koala");
    await expect(page.locator(".sources tbody tr")).toHaveCount(1);
    expect(page.url()).toContain("filter=koala");
    await page.getByRole("button", { name: "Memories" }).click();
    expect(page.url()).toContain("sort=-memories");
  });

  test("shows a source, edits its tags, says what goes, forgets, restores and erases", async ({ page }) => {
    const text = `# Kowari ${RUN}\n\nThe Kowari team uses Kafka.`;
    await post("/v1/ingest", { text, name: `kowari-${RUN}` });
    const all = await get<{ source: { id: string; origin: string } }[]>("/v1/sources");
    const { id } = all.find(({ source }) => source.origin.includes(`kowari-${RUN}`))!.source;
    await open(page, `#/sources?source=${id}`);
    const graph = page.getByRole("link", { name: "Show its graph" });
    await expect(graph).toHaveAttribute("href", `#/explore?source=${id}`);
    await page.locator(".tags input").fill("one, two");
    await page.getByRole("button", { name: "Save tags" }).click();
    await expect(page.getByText("Saved")).toBeVisible();
    const { source } = await get<{ source: { source: { tags: string[] } } }>(`/v1/sources/${id}`);
    expect(source.source.tags).toEqual(["one", "two"]);
    await page.getByRole("button", { name: "Forget…" }).click();
    await expect(page.locator(".would")).toContainText("1 memory");
    await page.getByRole("button", { name: "Forget", exact: true }).click();
    await page.getByRole("button", { name: "Restore it" }).click();
    await expect(page.getByRole("button", { name: "Restore it" })).toBeHidden();
    await page.goto(`${URL}/#/sources?source=${id}`);
    await page.getByRole("button", { name: "Erase…" }).click();
    await expect(page.locator(".would")).toContainText("1 memory");
    const erase = page.getByRole("button", { name: "Erase for good" });
    await expect(erase).toBeDisabled();
    await page.getByLabel("Nothing brings it back").check();
    await erase.click();
    await expect(page.getByText("is erased")).toBeVisible();
    expect((await fetch(`${URL}/v1/sources/${id}`)).status).toBe(404);
  });

  test("reads a site and follows the job", async ({ page }) => {
    const site = createServer((request, response) => {
      response.setHeader("content-type", "text/html");
      const text = `<p>The Tammar team ${request.url}.</p><a href="/next">next</a>`;
      response.end(`<title>Tammar ${RUN}</title><main>${text}</main>`);
    });
    await new Promise<void>((ready) => site.listen(0, "127.0.0.1", ready));
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    await open(page, "#/sources?add=1");
    await page.getByLabel("Address of a page").fill(address);
    await page.locator("griot-crawl select").selectOption("recursive");
    await page.getByLabel("Most pages").fill("3");
    await page.locator("griot-crawl summary").click();
    await page.locator("griot-crawl textarea[name=block]").fill("/private/**");
    await page.getByRole("button", { name: "Read it" }).click();
    await expect(page.getByText("Started as job")).toBeVisible();
    const row = page.locator(".job").filter({ hasText: address }).first();
    // A server may be forbidden to read addresses of its own machine: then the job says so.
    await expect(row.locator(".chip")).toHaveText(/done|failed/, { timeout: 20_000 });
    await expect(row).toContainText(/memor|error/);
    site.close();
  });
});

test.describe("Health", () => {
  test("shows and sets the rollout, and checks the workspace", async ({ page }) => {
    await open(page, "#/health");
    await expect(page.getByRole("heading", { name: /The graph is/ })).toBeVisible();
    const before = (await get<{ mode: string }>("/v1/rollout")).mode;
    await page.getByRole("button", { name: "shadow" }).click();
    await expect(page.getByRole("heading", { name: "The graph is shadow" })).toBeVisible();
    expect((await get<{ mode: string }>("/v1/rollout")).mode).toBe("shadow");
    await post("/v1/rollout", { mode: before, force: true }, "PATCH");
    await page.getByRole("button", { name: "Check the workspace" }).click();
    await expect(page.getByText(/Checked:/).first()).toBeVisible();
    await expect(page.getByRole("heading", { name: /Language models/ })).toBeVisible();
    await expect(page.locator(".windows tbody tr").first()).toBeVisible();
  });

  test("shows alarms and costs, and sets what the gate refuses only when asked twice", async ({ page }) => {
    const asked: object[] = [];
    await page.route("**/v1/rollout*", async (route) => {
      const now = await get<Record<string, unknown>>("/v1/rollout");
      if (route.request().method() === "PATCH") {
        const body = route.request().postDataJSON() as { mode: string; force?: boolean };
        asked.push(body);
        if (!body.force) {
          return route.fulfill({ status: 400, json: { error: {
            kind: "invalid_input", what: "set the mode", why: "the quality gate is blocked", hint: "force it",
              candidates: [],
          } } });
        }
        return route.fulfill({ json: { ...now, mode: body.mode } });
      }
      return route.fulfill({ json: { ...now, mode: "shadow", gate: {
        state: "blocked", since: "2026-03-01T00:00:00Z", status: "fail", probes: 0, probes_wanted: 5,
        reasons: [{ code: "GRAPH_ERROR_RATE_ABOVE_LIMIT", blocking: true, value: 0.4, limit: 0.05 }],
      }, alarms: [
        { code: "GRAPH_EXPANSION_ERRORS", severity: "critical", message: "it failed three times",
          triggered_at: "2026-03-01T00:00:00Z" },
      ], incidents: [{ at: "2026-03-01T00:00:00Z", reason: "graph_expansion_error", shadow: false,
        message: "<b>no</b>" }] } });
    });
    const row = (day: string, calls: number) => ({
      day: `${day}T00:00:00Z`, purpose: "answer", provider: "openai", model: "a model", calls, failed: 1,
        unfinished: 0, kept: 2,
      input_tokens: 1000, output_tokens: 200, cost: 0.0123,
    });
    await page.route("**/v1/usage*", (route) => route.fulfill({ json: {
      rows: [row("2026-03-02", 5), row("2026-03-01", 9)],
      total: { calls: 14, kept: 4, input_tokens: 2000, output_tokens: 400, cost: 0.0246 },
      today: { calls_left: 10, tokens_left: null, cost_left: 1.5 },
    } }));
    await open(page, "#/health");
    await expect(page.locator(".alarms")).toContainText("it failed three times");
    await expect(page.getByText(/Blocks: Graph error rate above limit/)).toBeVisible();
    await expect(page.locator(".chart rect")).toHaveCount(30);
    await expect(page.getByText("Left today: 10 requests, 1.50 of money.")).toBeVisible();
    await page.getByRole("button", { name: "canary" }).click();
    await expect(page.locator(".told")).toContainText("the quality gate is blocked");
    await page.getByRole("button", { name: "Set canary all the same" }).click();
    await expect(page.getByRole("heading", { name: "The graph is canary" })).toBeVisible();
    expect(asked).toEqual([{ mode: "canary" }, { mode: "canary", force: true }]);
    await expectAccessible(page);
  });
});

test.describe("Whatever is stored", () => {
  const hostile = [
    `<script>window.broken = 1</script> Possum${RUN} script`,
    `<img src=x onerror="window.broken = 2"> Possum${RUN} image`,
    `[click](javascript:window.broken=3) "><svg onload=window.broken=4> Possum${RUN} link`,
    `${"P".repeat(10_000)} Possum${RUN} long`,
    `\u202Eevil\u202C مرحبا بالعالم Possum${RUN} שלום עולם`,
  ];

  test("stays text, and breaks no page", async ({ page }) => {
    let dialogs = 0;
    page.on("dialog", (dialog) => { dialogs += 1; return dialog.dismiss(); });
    for (const text of hostile) await remember(text, { source: `javascript:window.broken=5 ${RUN}` });
    await remember(`Possum${RUN} names a thing`, { entities: [{ name: `<b onclick=x>${"N".repeat(230)}</b>`,
      type: "concept" }], speaker: "<i>x</i>" });
    await post("/v1/ingest", { text: `# <script>window.broken=6</script>\n\nPossum${RUN} in a page`,
      name: `javascript:window.broken=7//${RUN}` });
    for (const width of [1200, 390]) {
      await page.setViewportSize({ width, height: 850 });
      await open(page, `#/ask?q=Possum${RUN}&graph=both`);
      await expect(page.locator(".answer").first()).toBeVisible();
      await expectNoSidewaysScroll(page);
      await page.goto(`${URL}/#/sources?filter=${RUN}`);
      await expect(page.locator(".sources tbody tr").first()).toBeVisible();
      await expectNoSidewaysScroll(page);
      await page.goto(`${URL}/#/review`);
      await expect(page.locator(".page-review")).toBeVisible();
      await expectNoSidewaysScroll(page);
    }
    expect(await page.evaluate(() => (window as unknown as { broken?: number }).broken)).toBeUndefined();
    expect(dialogs).toBe(0);
    expect(await page.locator("a[href^='javascript' i], img, script:not([src])").count()).toBe(0);
  });
});

test.describe("The log of recalls", () => {
  test("shows what an agent asked and what it was given, and asks again", async ({ page }) => {
    const agent = `agent ${RUN}`;
    const scope = { agentId: agent };
    for (const query of [`Where are the sessions of ${NAME}?`, "Which tram stops at the harbour?"]) {
      await post("/v1/recall", { query, scope });
    }
    await open(page, `#/health?agent=${encodeURIComponent(agent)}`);
    const asked = page.getByRole("region", { name: "Questions" }).locator("tbody tr");
    await expect(asked).toHaveCount(2);
    await expect(asked.first()).toContainText("nothing");
    await expect(asked.nth(1)).toContainText(decision.handle);
    await page.getByRole("button", { name: "Ask the last ones" }).click();
    const compared = page.getByRole("region", { name: "With and without the graph" }).locator("tbody tr");
    await expect(compared).toHaveCount(2);
    await expect(compared.first()).toContainText("both silent");
    await page.getByLabel("Agent").fill(`nobody ${RUN}`);
    await page.getByRole("button", { name: "Show" }).click();
    await expect(page.getByText(`No question of nobody ${RUN} yet.`)).toBeVisible();
    await page.goBack();
    await asked.nth(1).getByRole("link", { name: /Where are the sessions/ }).click();
    await expect(page.locator(`[data-handle="${decision.handle}"]`).first()).toBeVisible();
  });

  test("says how to switch it on", async ({ page }) => {
    await page.route("**/v1/recalls?*", (route) => route.fulfill({
      json: { enabled: false, days: 7, recalls: [] } }));
    await open(page, "#/health");
    await expect(page.getByText("griot config set log.recalls true")).toBeVisible();
  });
});

test.describe("The server", () => {
  const withStatus = (page: Page, changes: (status: Record<string, unknown>) => object) =>
    page.route("**/v1/status*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: changes(await response.json()) });
    });

  test("says what to do with an empty workspace", async ({ page }) => {
    await withStatus(page, (status) => ({ ...status, counts: { ...(status["counts"] as object), memories: 0,
      sources: 0 } }));
    await open(page, "#/ask");
    await expect(page.getByRole("heading", { name: "Remember a text" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Drop a file" })).toBeVisible();
    await expect(page.getByText("griot connect", { exact: true })).toBeVisible();
    await page.getByLabel("Text", { exact: true }).fill(`The first thing of ${NAME}.`);
    await page.getByRole("button", { name: "Remember" }).click();
    await expect(page.getByText("Stored as")).toBeVisible();
    await expectAccessible(page);
  });

  test("offers a read-only key nothing that it may not do", async ({ page }) => {
    await withStatus(page, (status) => ({ ...status, role: "read" }));
    await open(page, `#/ask?q=${NAME}`);
    await expect(page.locator(".answer").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "helped" })).toHaveCount(0);
    await page.goto(`${URL}/#/sources`);
    await expect(page.locator(".sources tbody tr").first()).toBeVisible();
    await expect(page.getByText("Add files")).toHaveCount(0);
    await page.locator(".sources tbody a").first().click();
    await expect(page.getByRole("link", { name: "Show its graph" })).toBeVisible();
    await expect(page.getByRole("button", { name: /Erase|Forget|Save/ })).toHaveCount(0);
    await page.goto(`${URL}/#/health`);
    await expect(page.getByRole("heading", { name: /The graph is/ })).toBeVisible();
    await expect(page.getByRole("button", { name: "shadow" })).toHaveCount(0);
    await page.goto(`${URL}/#/review`);
    await expect(page.locator(".page-review .actions")).toBeVisible();
    await expect(page.locator("kbd").filter({ hasText: /^[ynt]$/ })).toHaveCount(0);
  });

  test("shows a refusal as text", async ({ page }) => {
    await page.route("**/v1/rollout*", (route) => route.fulfill({
      status: 403, json: { error: { kind: "forbidden", what: "show the rollout",
        why: "the key is bound to a user", hint: "use another key", candidates: [] } },
    }));
    await open(page, "#/health");
    await expect(page.locator(".told")).toContainText("the key is bound to a user");
    await expect(page.getByRole("heading", { name: "Contents" })).toBeVisible();
  });

  test("may be gone and come back", async ({ page }) => {
    await open(page, "#/ask");
    await expect(page.getByLabel("Question")).toBeVisible();
    await page.route("**/v1/**", (route) => route.abort("connectionrefused"));
    await page.getByLabel("Question").fill(NAME);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await expect(page.locator(".bar .state")).toContainText("does not answer", { timeout: 15_000 });
    await page.unroute("**/v1/**");
    await expect(page.locator(".answer").first()).toBeVisible({ timeout: 15_000 });
    await expect(page.locator(".bar .state")).not.toContainText("does not answer");
  });

  test("may revoke the key while the page is open", async ({ page }) => {
    await open(page, "#/sources");
    await expect(page.locator(".sources tbody tr").first()).toBeVisible();
    await page.route("**/v1/**", (route) => route.fulfill({
      status: 401, json: { error: { kind: "unauthenticated", what: "answer", why: "the key was revoked",
        hint: null, candidates: [] } },
    }));
    await page.goto(`${URL}/#/ask?q=${NAME}`);
    await expect(page.getByRole("heading", { name: "This server asks for a key" })).toBeVisible();
    await expect(page.getByText("the key was revoked")).toBeVisible();
    await page.unroute("**/v1/**");
  });
});

test.describe("Everybody can use it", () => {
  const pages = () => [
    `#/ask?q=${NAME}&graph=both&answer=1`,
      `#/ask?q=${NAME}&of=${encodeURIComponent(decision.handle)}&view=found`,
    `#/ask?of=${NAME}&view=timeline`, "#/review", "#/review?kind=cause", "#/sources?add=1",
      `#/sources?source=${decision.source}`, "#/health",
  ];
  for (const scheme of ["light", "dark"] as const) {
    test(`axe finds nothing serious, ${scheme}`, async ({ browser }) => {
      const page = await browser.newPage({ colorScheme: scheme, viewport: { width: scheme === "light" ? 1200
        : 390, height: 850 } });
      await open(page, "#/ask");
      for (const hash of pages()) {
        await page.goto(`${URL}/${hash}`);
        await expect(page.locator("main h1")).toBeVisible();
        await page.waitForLoadState("networkidle", { timeout: 2000 }).catch(() => undefined);
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
      }
      await page.close();
    });
  }

  test("the tab key reaches an answer and opens it", async ({ page }) => {
    await open(page, `#/ask?q=${NAME}`);
    await expect(page.locator(".answer").first()).toBeVisible();
    await page.locator(".answer").first().focus();
    for (let at = 0; at < 12; at += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement?.textContent === "How it was found")) break;
    }
    await page.keyboard.press("Enter");
    await expect(page.getByText("What the score is made of")).toBeVisible();
  });
});
