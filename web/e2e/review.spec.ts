// Review against the running server at GRIOT_URL. All data is made here, under names that no other test uses.

import { expect, test, type Page } from "@playwright/test";
import { get, open, post, remember, RUN, URL } from "./server.js";

test.describe("Review", () => {
  interface Offer { id: string; kind: string; state: string }
  const offers = () => get<Offer[]>("/v1/offers?all=true&limit=500");
  const stateOf = async (id: string) => (await offers()).find((one) => one.id === id)?.state;

  const makeOffers = async (team: string) => {
    for (const [at, text] of [
      `The pool of ${team} is exhausted, so its API answers with errors.`,
      `The API of ${team} answers with errors because the pool is exhausted.`,
      `The pool of ${team} has fifty connections now.`,
      `The pool of ${team} has ninety connections now.`,
      `The API of ${team} deploys on Tuesday.`,
      `The API of ${team} deploys on Thursday now.`,
    ].entries()) {
      await remember(text, { occurred_at: `2026-03-${String(at + 10)}`, source: `${team} ${RUN}` });
    }
    return (await offers()).filter((one) => one.state === "open");
  };

  /** The offer that is shown, once it is. */
  const shown = async (page: Page) => {
    await expect(page.locator(".item h2 .quiet")).toBeVisible();
    return (await page.locator(".item h2 .quiet").textContent())!.trim();
  };

  test("takes, refuses and turns round by keyboard, and takes it back", async ({ page }) => {
    await makeOffers(`Wombat${RUN}`);
    await open(page, "#/review?kind=cause");
    const first = await shown(page);
    await expect(page.locator(".sides section").first()).toContainText("Would ");
    await page.keyboard.press("y");
    await expect(page.locator(".item h2 .quiet")).not.toHaveText(first);
    await expect.poll(() => stateOf(first)).toBe("taken");
    await page.keyboard.press("u");
    await expect.poll(() => stateOf(first)).toBe("open");
    await expect(page.locator(".item h2 .quiet")).toHaveText(first);
    await page.keyboard.press("t");
    await expect.poll(() => stateOf(first)).toBe("taken");
    await page.goto(`${URL}/#/review?kind=replacement`);
    const second = await shown(page);
    await page.keyboard.press("n");
    await expect.poll(() => stateOf(second)).toBe("refused");
    await expect(page.locator(".decided")).toContainText("both hold");
    const third = await shown(page);
    await page.keyboard.press("s");
    await expect(page.locator(".item h2 .quiet")).not.toHaveText(third);
    await page.keyboard.press("k");
    await expect(page.locator(".item h2 .quiet")).toHaveText(third);
    expect(page.url()).toContain(`item=${third}`);
  });

  test("tells the second of two people what the first decided, and doubles nothing", async ({ browser }) => {
    await makeOffers(`Dingo${RUN}`);
    const [ada, ben] = [await browser.newPage(), await browser.newPage()];
    await open(ada, "#/review?kind=cause");
    const id = await shown(ada);
    await open(ben, `#/review?kind=cause&item=${id}`);
    await expect(ben.locator(".item h2 .quiet")).toHaveText(id);
    // Ben's page does not hear of it: a refusal makes no event.
    await ada.keyboard.press("n");
    await expect.poll(() => stateOf(id)).toBe("refused");
    await ben.keyboard.press("y");
    await expect(ben.locator(".decided")).toContainText("Somebody decided before: it was refused");
    expect(await stateOf(id)).toBe("refused");
    await ada.close();
    await ben.close();
  });

  test("merges, parts, and holds back what cannot be taken back", async ({ page }) => {
    interface Log { merges: { id: string; undone_at: string | null }[] }
    const log = async () => (await get<Log>("/v1/merges")).merges;
    const undone = async (id: string) => (await log()).find((one) => one.id === id)?.undone_at;
    const suggestion = (name: string, at: number) => ({
      id: name, state: "open", likeness: 0.95, reason: "the names are similar", at: "2026-03-01T00:00:00Z",
      kept: entity(`Numbat ${RUN} ${at}`), merged: entity(`Numbats ${RUN} ${at}`),
    });
    const entity = (name: string) => ({
      id: `concept:${name.toLowerCase().replaceAll(" ",
        "-")}`, name, type: "concept", key: null, layer: "knowledge", aliases: [], description: [],
      first_seen: "2026-03-01T00:00:00Z", last_seen: "2026-03-01T00:00:00Z", deleted_at: null,
    });
    // Which names are similar enough depends on the embedder, so the list is given; the merge itself is real.
    await remember(`Numbat ${RUN} and Numbats ${RUN} are one`, {
      entities: [{ name: `Numbat ${RUN} 1`, type: "concept" }, { name: `Numbats ${RUN} 1`, type: "concept" }],
    });
    const real = await get<Log>("/v1/merges");
    await page.route("**/v1/merges", (route) => route.fulfill({
      json: { ...real, suggestions: [suggestion("p900001", 1), suggestion("p900002", 2)], scan: null },
    }));
    const asked: string[] = [];
    await page.route("**/v1/merges/p*/*", async (route) => {
      asked.push(route.request().url().replace(/.*merges\//, ""));
      if (!route.request().url().includes("apply")) return route.fulfill({ json: suggestion("p900002", 2) });
      const merged = await post<object>("/v1/merges", { 
        kept: `Numbat ${RUN} 1`, merged: `Numbats ${RUN} 1`,
      });
      return route.fulfill({ json: merged });
    });
    await open(page, "#/review?kind=merge");
    await expect(page.locator(".sides section").nth(1)).toContainText(`Numbats ${RUN} 1`);
    await expect(page.locator(".sides section").first().locator("mark").first()).toBeVisible();
    await page.keyboard.press("y");
    await expect(page.locator(".decided")).toContainText("is now");
    const done = (await log())[0]!;
    expect(done.undone_at).toBeNull();
    await page.keyboard.press("n");
    await expect(page.locator(".decided li").first()).toContainText("is sent in a moment");
    await page.keyboard.press("u");
    await expect(page.locator(".item h2 .quiet")).toHaveText("p900002");
    await page.keyboard.press("u");
    await expect.poll(() => undone(done.id)).not.toBeNull();
    expect(asked).toEqual(["p900001/apply"]);
    await page.keyboard.press("n");
    await page.goto(`${URL}/#/health`);
    await expect.poll(() => asked).toEqual(["p900001/apply", "p900002/dismiss"]);
  });

  test("acknowledges a warning with a note", async ({ page }) => {
    const one = await remember(`The bilby ${RUN} digs.`);
    const two = await remember(`The burrow ${RUN} grows.`);
    await post("/v1/link", { source: one.handle, target: two.handle, kind: "causal", label: "causes" });
    await post("/v1/link", { source: two.handle, target: one.handle, kind: "causal", label: "causes" });
    const warned = async () => (await get<{ warnings: { id: string }[] }>("/v1/warnings")).warnings;
    const { id } = (await warned())[0]!;
    await open(page, `#/review?kind=warning&item=${id}`);
    await expect(page.locator(".edges .steps").first()).toBeVisible();
    await page.getByLabel("Note with the acknowledgement").fill("both are true");
    await page.keyboard.press("Enter");
    await expect(page.locator(".decided")).toContainText("Acknowledge");
    await page.goto(`${URL}/#/health`);
    await expect.poll(async () => (await warned()).some((warning) => warning.id === id)).toBe(false);
  });

  test("ends a fact by forgetting what states it, and brings it back", async ({ page }) => {
    const memory = await remember(`Bandicoot${RUN} avoids tabs.`);
    await post("/v1/facts", { subject: `Bandicoot${RUN}`, predicate: "prefers", object: "tabs" });
    const avoids = { subject: `Bandicoot${RUN}`, predicate: "avoids", object: "tabs", memory: memory.handle };
    await post("/v1/facts", avoids);
    await open(page, "#/review?kind=conflict");
    interface Conflict { first: { id: string; subject: { name: string } }; second: { id: string } }
    const conflicts = await get<Conflict[]>("/v1/conflicts");
    const own = conflicts.find((one) => one.first.subject.name === `Bandicoot${RUN}`)!;
    await page.goto(`${URL}/#/review?kind=conflict&item=${own.first.id}-${own.second.id}`);
    await expect(page.locator(".sides")).toContainText(`Bandicoot${RUN} avoids tabs`);
    await page.keyboard.press("2");
    const count = async () =>
      (await get<Conflict[]>("/v1/conflicts")).filter((one) => one.first.id === own.first.id).length;
    await expect.poll(count).toBe(0);
    await page.keyboard.press("u");
    await expect.poll(count).toBe(1);
  });

  test("decides fifty in five minutes by keyboard", async ({ page }) => {
    for (let team = 0; team < 12; team += 1) await makeOffers(`Echidna${team}x${RUN}`);
    await open(page, "#/review");
    const begin = Date.now();
    for (let at = 0; at < 50; at += 1) {
      const key = await shown(page);
      // The evidence of both sides is there before it is judged.
      await expect(page.locator(".sides section").first()).not.toBeEmpty();
      await page.keyboard.press(key.startsWith("o") ? "n" : "s");
      await expect(page.locator(".item h2 .quiet")).not.toHaveText(key);
    }
    test.info().annotations.push({ type: "seconds for fifty decisions", description: `${(Date.now() - begin) /
      1000}` });
    await expect(page.locator(".decided li").filter({ hasText: "…" })).toHaveCount(0);
  });
});
