// The explorer against a running `griot serve`; GRIOT_URL says where. What a small workspace cannot show,
// such as 20,000 nodes, is answered instead of the server.

import { readFileSync } from "node:fs";
import { expect, test, type APIRequestContext, type Download, type Page } from "@playwright/test";
import { decode } from "../src/explorer/graph.js";
import { communities, encode } from "../test/made.js";

// Names that no other spec and no earlier run has.
const word = `Zq${Date.now().toString(36)}`;
const engine = `${word} Engine`;
const valve = `${word} Valve`;
const hostile = `${word} <img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
const bytes = (buffer: ArrayBuffer) => ({
  body: Buffer.from(buffer),
  contentType: "application/octet-stream",
});
const GRAPH = /\/v1\/graph(\?|$)/;

let engineId = "";
let valveId = "";
let memory = "";
let repair = "";
let shiftId = "";

async function post(request: APIRequestContext, path: string, data: object): Promise<any> {
  const response = await request.post(path, { data });
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
  return response.json();
}

async function idOf(request: APIRequestContext, name: string): Promise<string> {
  const found = await (await request.get(`/v1/entities?search=${encodeURIComponent(name)}`)).json();
  return found.find((hub: any) => hub.entity.name === name).entity.id;
}

test.beforeAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL! });
  const stored = await post(request, "/v1/remember", {
    text: `The ${engine} stopped because the ${valve} was stuck.`,
    entities: [`${engine}:tool`, `${valve}:tool`],
    occurred_at: "2026-03-01",
  });
  memory = stored.memory?.handle ?? stored.handle;
  const later = await post(request, "/v1/remember", {
    text: `${engine} was repaired by the night shift.`,
    entities: [`${engine}:tool`, `${word} Shift:org`],
    occurred_at: "2026-04-01",
  });
  await post(request, "/v1/remember", {
    text: `${hostile} was seen.`,
    entities: [{ name: hostile, type: "concept" }],
  });
  repair = later.memory?.handle ?? later.handle;
  shiftId = await idOf(request, `${word} Shift`);
  engineId = await idOf(request, engine);
  valveId = await idOf(request, valve);
  await post(request, "/v1/link", {
    source: engineId,
    target: valveId,
    kind: "relation",
    label: "depends_on",
    weight: 0.8,
    confidence: 0.9,
    reason: "It cannot run without",
  });
  await post(request, "/v1/facts", {
    subject: engineId,
    predicate: "depends_on",
    object: valve,
    valid_from: "2026-01-01",
    memory,
  });
  await request.dispose();
});

test.beforeEach(async ({ page }) => {
  page.on("pageerror", (failure) => expect.soft(failure.message).toBe(""));
});

const address = (page: Page) => new URLSearchParams(new URL(page.url()).hash.split("?")[1] ?? "");
const counted = (page: Page) => page.locator(".explorer-count");
const detail = (page: Page) => page.getByRole("complementary", { name: "Details" });

async function shown(page: Page): Promise<number> {
  return Number(((await counted(page).innerText()).match(/^[\d,]+/)?.[0] ?? "0").replaceAll(",", ""));
}

async function loaded(page: Page): Promise<number> {
  await expect.poll(() => shown(page)).toBeGreaterThan(0);
  return shown(page);
}

async function middle(page: Page): Promise<{ x: number; y: number }> {
  // Time for the camera to come to rest.
  await page.waitForTimeout(500);
  const box = (await page.locator("griot-picture").boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Selects a node by the address, which brings it to the middle of the picture. */
async function centred(page: Page, handle: string): Promise<{ x: number; y: number }> {
  const query = address(page);
  query.set("sel", "");
  await page.goto(`/#/explore?${query}`);
  query.set("sel", handle);
  await page.goto(`/#/explore?${query}`);
  await expect(detail(page)).toBeVisible();
  return middle(page);
}

/** Two nodes and the edge between them, which then lies in the middle of the picture. */
async function pair(page: Page): Promise<{ x: number; y: number }> {
  const query = new URLSearchParams([
    ["around", engineId],
    ["no", "type:memory"],
    ["no", "type:org"],
    ["no", "type:date"],
    ["pin", `0,0,${engineId}`],
    ["pin", `100,0,${valveId}`],
    ["hide", "x"],
  ]);
  await page.goto(`/#/explore?${query}`);
  await expect(counted(page)).toContainText("2 of");
  await page.getByRole("button", { name: "Fit" }).click();
  return middle(page);
}

/** The server's status with other numbers. */
async function withCounts(page: Page, memories: number, entities: number): Promise<void> {
  const status = await (await page.request.get("/v1/status")).json();
  const json = { ...status, counts: { ...status.counts, memories, entities } };
  await page.route("**/v1/status*", (route) => route.fulfill({ json }));
}

async function saved(page: Page, form: string): Promise<string> {
  const [download] = (await Promise.all([
    page.waitForEvent("download"),
    page.getByLabel("Save what is seen").selectOption(form),
  ])) as [Download, unknown];
  return readFileSync(await download.path(), form === "png" ? "base64" : "utf8");
}

test("a search leads to what is around the thing, and steps widen it", async ({ page }) => {
  await page.goto("/#/explore");
  const box = page.getByRole("combobox", { name: "Search" });
  await box.fill(engine);
  await expect(page.getByRole("option").first()).toContainText(engine);
  const answer = page.waitForResponse((response) => /\/v1\/graph\?.*around=/.test(response.url()));
  await box.press("Enter");
  await expect.poll(() => address(page).get("around")).toBe(engineId);
  await expect(detail(page)).toContainText(engine);
  const one = decode(new Uint8Array(await (await answer).body()).buffer).nodes;
  await expect.poll(() => shown(page)).toBe(one);
  await page.getByLabel("Steps around it").fill("2");
  await expect.poll(() => address(page).get("depth")).toBe("2");
  await expect.poll(() => shown(page)).toBeGreaterThanOrEqual(one);
  await page.getByRole("button", { name: "Whole graph" }).click();
  await expect.poll(() => address(page).get("around")).toBeNull();
  await page.goBack();
  await expect.poll(() => address(page).get("around")).toBe(engineId);
});

test("details tell facts with validity, relations with weight, and mark the name in the memories", async ({
  page,
}) => {
  await page.goto(`/#/explore?around=${engineId}&sel=${engineId}`);
  await expect(detail(page)).toContainText("depends on");
  await expect(detail(page)).toContainText("valid, from 1 Jan 2026");
  await expect(detail(page)).toContainText("weight 0.80, confidence 90 %, user");
  await expect(detail(page).locator("mark", { hasText: engine }).first()).toBeVisible();
  await detail(page).getByRole("button", { name: memory }).first().click();
  await expect(detail(page)).toContainText(`Memory ${memory}`);
  await expect(detail(page).locator("mark", { hasText: valve })).toBeVisible();
});

test("keys reach nodes, open one, expand it and offer the menu", async ({ page }) => {
  await page.goto(`/#/explore?around=${engineId}`);
  await loaded(page);
  const picture = page.getByRole("application");
  await picture.focus();
  await picture.press("Tab");
  await expect(page.locator(".explorer > [role=status]")).toContainText(/1 of \d/);
  await picture.press("Enter");
  await expect(detail(page)).toBeVisible();
  const selected = address(page).get("sel")!;
  await picture.press("Shift+F10");
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitem", { name: "Inspect" })).toBeFocused();
  await menu.press("ArrowDown");
  await expect(menu.getByRole("menuitem", { name: "Expand" })).toBeFocused();
  await menu.press("Escape");
  await expect(menu).toHaveCount(0);
  await picture.focus();
  await picture.press("e");
  await expect.poll(() => address(page).getAll("open")).toEqual([selected]);
  for (const key of ["ArrowLeft", "+", "-", "0"]) await picture.press(key);
  // The key leaves after the last node, so that nobody is caught in the picture.
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(picture).not.toBeFocused({ timeout: 100 });
  }).toPass({ intervals: [0] });
});

test("an edge tells about itself under the pointer, and shows its passages on a click", async ({ page }) => {
  const at = await pair(page);
  await page.mouse.move(at.x, at.y - 40);
  await page.mouse.move(at.x, at.y);
  const tip = page.getByRole("tooltip");
  await expect(tip).toContainText("depends on");
  await expect(tip).toContainText("weight 0.80, confidence 90 %");
  await expect(tip).toContainText("stated by user");
  await expect(tip).toContainText("It cannot run without");
  await page.mouse.click(at.x, at.y);
  await expect(detail(page)).toContainText("Passages it came from");
  await expect(detail(page)).toContainText("a person");
  await expect(detail(page)).toContainText("It cannot run without");
});

test("the menu hides, pins, asks, and finds a path", async ({ page }) => {
  await pair(page);
  const choose = async (handle: string, name: string) => {
    const at = await centred(page, handle);
    await page.mouse.click(at.x, at.y, { button: "right" });
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  await choose(engineId, "Path from here");
  await choose(valveId, "Path to here");
  await expect(page.locator(".path")).toContainText(valve);
  expect([address(page).get("from"), address(page).get("to")]).toEqual([engineId, valveId]);
  await page.getByRole("button", { name: "Clear the path" }).click();
  await choose(engineId, "Unpin");
  expect(address(page).getAll("pin")).toHaveLength(1);
  await choose(engineId, "Pin");
  expect(address(page).getAll("pin")).toHaveLength(2);
  await choose(valveId, "Hide");
  await expect(counted(page)).toContainText("1 of");
  const at = await centred(page, engineId);
  await page.mouse.click(at.x + 60, at.y + 200, { button: "right" });
  await page.getByRole("menuitem", { name: "hidden nodes again" }).click();
  await expect(counted(page)).toContainText("2 of");
  await choose(engineId, "Find in memory");
  await expect(page).toHaveURL(new RegExp(`#/ask\\?q=${word}`));
});

test("a double click expands in place without moving anything, and again collapses", async ({ page }) => {
  await page.goto(`/#/explore?around=${shiftId}`);
  const before = await loaded(page);
  const places = async () =>
    new Map<string, number[]>(
      JSON.parse(await saved(page, "json")).nodes.map((node: any) => [node.id, [node.x, node.y]]),
    );
  const were = await places();
  const at = await centred(page, repair);
  await page.mouse.dblclick(at.x, at.y);
  await expect.poll(() => address(page).getAll("open")).toEqual([repair]);
  await expect.poll(() => shown(page)).toBeGreaterThan(before);
  const are = await places();
  for (const [id, place] of were) expect(are.get(id)).toEqual(place);
  await page.mouse.dblclick(at.x, at.y);
  await expect.poll(() => address(page).getAll("open")).toEqual([]);
  await expect.poll(() => shown(page)).toBe(before);
  expect(await places()).toEqual(were);
});

test("a node can be dragged, and stays where it was put", async ({ page }) => {
  await pair(page);
  const pin = () =>
    address(page)
      .getAll("pin")
      .find((one) => one.endsWith(engineId))!
      .split(",")
      .map(Number);
  const at = await centred(page, engineId);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x, at.y + 30);
  await page.mouse.move(at.x, at.y + 60);
  await page.mouse.up();
  await expect.poll(() => pin()[1]).toBeGreaterThan(5);
  expect(pin()[0]).toBeCloseTo(0, 0);
  await page.reload();
  await loaded(page);
  const node = JSON.parse(await saved(page, "json")).nodes.find((one: any) => one.id === engineId);
  expect(node.y).toBeCloseTo(pin()[1]!, 1);
});

test.describe("by touch", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 800 } });

  test("two fingers zoom, one moves, and a long press offers the menu", async ({ page }) => {
    await page.goto(`/#/explore?around=${engineId}`);
    await loaded(page);
    const client = await page.context().newCDPSession(page);
    const at = await middle(page);
    const touch = (type: string, ...points: [number, number][]) =>
      client.send("Input.dispatchTouchEvent", {
        type: type as "touchStart",
        touchPoints: points.map(([x, y], id) => ({ x: at.x + x, y: at.y + y, id })),
      });
    const whole = await saved(page, "png");
    await touch("touchStart", [-30, 60]);
    await touch("touchStart", [-30, 60], [30, 60]);
    for (const step of [40, 60, 80]) await touch("touchMove", [-step, 60], [step, 60]);
    await touch("touchEnd");
    const close = await saved(page, "png");
    expect(close).not.toBe(whole);
    await touch("touchStart", [90, 150]);
    for (const step of [10, 30, 50]) await touch("touchMove", [90 - step, 150]);
    await touch("touchEnd");
    expect(await saved(page, "png")).not.toBe(close);
    await page.getByRole("button", { name: "Fit" }).click();
    const centre = await middle(page);
    expect(centre).toEqual(at);
    // The node that was asked for lies in the middle of what is around it, or near.
    await touch("touchStart", [0, 0]);
    await expect(page.getByRole("menu")).toBeVisible();
    await touch("touchEnd");
    await expect(page.getByRole("menu")).toBeVisible();
    const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(width).toBeLessThanOrEqual(0);
  });
});

test("filters work, stand in the address, and outlive a reload", async ({ page }) => {
  await page.goto(`/#/explore?around=${engineId}&depth=1`);
  const all = await loaded(page);
  await page.locator(".entry", { hasText: "memory" }).getByRole("checkbox").uncheck();
  await expect.poll(() => shown(page)).toBeLessThan(all);
  const some = await shown(page);
  await page.reload();
  await expect.poll(() => shown(page)).toBe(some);
  await page.locator("summary", { hasText: "Filters" }).click();
  await page.getByLabel("Confidence at least").fill("0.95");
  await page.getByLabel("Only edges with evidence").check();
  await page.getByLabel("Only nodes with an edge shown").check();
  await expect
    .poll(() => [...address(page).keys()].sort())
    .toEqual(["around", "confidence", "depth", "evidence", "joined", "no"]);
  await page.getByRole("button", { name: "Clear all filters" }).click();
  await expect.poll(() => shown(page)).toBe(all);
  const later = page.getByLabel("Not before");
  await later.fill((await later.getAttribute("max"))!);
  await expect.poll(() => shown(page)).toBeLessThan(all);
  await page.getByRole("button", { name: "Clear all filters" }).click();
  await page.getByLabel("As of").fill("2026-03-10");
  await expect.poll(() => address(page).get("as_of")).toBe("2026-03-10");
  await page.getByLabel("Colour by").selectOption("layer");
  await expect(page.locator(".entry", { hasText: "knowledge" }).first()).toBeVisible();
});

test("the table shows, sorts and selects the same", async ({ page }) => {
  await page.goto(`/#/explore?around=${engineId}`);
  await page.getByRole("button", { name: "Table", exact: true }).click();
  const table = page.getByRole("table").filter({ has: page.getByRole("columnheader", { name: "Type" }) });
  await expect(table.getByRole("row")).toHaveCount((await loaded(page)) + 1);
  await table.getByRole("button", { name: "Name" }).click();
  await expect(table.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "ascending");
  await table.getByRole("button", { name: engine, exact: true }).click();
  await expect.poll(() => address(page).get("sel")).toBe(engineId);
  await page.getByRole("button", { name: "edges", exact: true }).click();
  await page.getByRole("row").filter({ hasText: "depends on" }).getByRole("button").click();
  await expect(detail(page)).toContainText("Passages it came from");
});

test("what is seen can be saved in every form", async ({ page }) => {
  await page.goto(`/#/explore?around=${engineId}&no=type:org`);
  const nodes = await loaded(page);
  const json = JSON.parse(await saved(page, "json"));
  expect(json.nodes).toHaveLength(nodes);
  expect(json.nodes.map((node: any) => node.id)).toContain(engineId);
  expect(json.edges.some((edge: any) => edge.kind.includes("depends_on"))).toBe(true);
  expect((await saved(page, "nodes")).trim().split("\r\n").length).toBe(nodes + 1);
  expect(await saved(page, "edges")).toContain(`${engineId},${valveId}`);
  const graphml = await saved(page, "graphml");
  const wrong = await page.evaluate((text) => {
    const document = new DOMParser().parseFromString(text, "application/xml");
    return [document.querySelectorAll("parsererror").length, document.querySelectorAll("node").length];
  }, graphml);
  expect(wrong).toEqual([0, nodes]);
  // An image that is not of one colour alone compresses to more than this.
  expect((await saved(page, "png")).length).toBeGreaterThan(4000);
});

test("stored text does nothing", async ({ page }) => {
  const rtl = "שלום עולם";
  await page.route(GRAPH, (route) =>
    route.fulfill(
      bytes(
        encode(
          [
            { handle: "concept:a", label: hostile, type: "concept" },
            { handle: "concept:b", label: "W".repeat(10_000), type: `<b>${rtl}`, x: 90 },
            { handle: "#c", label: rtl, x: 40, y: 60 },
          ],
          [
            { from: 0, to: 1, kind: `relation:<i onmouseover=alert(1)>` },
            { from: 2, to: 1 },
          ],
          { sources: [{ handle: "s1", name: "javascript:alert(1)" }] },
        ),
      ),
    ),
  );
  await page.goto("/#/explore");
  await expect(counted(page)).toContainText("3 nodes");
  await page.getByRole("button", { name: "Table", exact: true }).click();
  await expect(page.getByRole("cell", { name: hostile.slice(0, 30) }).first()).toBeVisible();
  await page.getByRole("combobox", { name: "Search" }).fill(word);
  await expect(page.getByRole("option").filter({ hasText: "<img" }).first()).toBeVisible();
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(width).toBeLessThanOrEqual(0);
  expect(
    await page.evaluate(() => [
      (window as any).hacked,
      document.querySelectorAll("griot-page img, griot-page script").length,
    ]),
  ).toEqual([undefined, 0]);
  await page.goto(`/#/explore?around=x&sel=${encodeURIComponent("nothing of this name")}`);
  await expect(detail(page).getByRole("alert")).toBeVisible();
});

test("without WebGL2 the table is shown, and why", async ({ page }) => {
  await page.addInitScript(() => {
    const was = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (
      this: HTMLCanvasElement,
      kind: string,
      ...rest: unknown[]
    ) {
      return kind === "webgl2" ? null : (was as any).call(this, kind, ...rest);
    } as typeof was;
  });
  await page.goto(`/#/explore?around=${engineId}`);
  await expect(page.getByText("this browser offers no WebGL2")).toBeVisible();
  const table = page.getByRole("region", { name: "Table" });
  await expect(table.getByRole("button", { name: engine, exact: true })).toBeVisible();
});

test("an empty workspace says what to do", async ({ page }) => {
  await withCounts(page, 0, 0);
  await page.route(GRAPH, (route) => route.fulfill(bytes(encode([], []))));
  await page.goto("/#/explore");
  await expect(page.getByRole("heading", { name: "Nothing is stored yet" })).toBeVisible();
});

test("what changes comes into a small picture by itself, without moving it", async ({ page, request }) => {
  await page.goto(`/#/explore?around=${engineId}`);
  const before = await loaded(page);
  const places = JSON.parse(await saved(page, "json")).nodes;
  await page.waitForTimeout(500);
  await post(request, "/v1/remember", { text: `${engine} runs again.`, entities: [`${engine}:tool`] });
  await expect.poll(() => shown(page), { timeout: 15_000 }).toBeGreaterThan(before);
  const after = new Map<string, any>(
    JSON.parse(await saved(page, "json")).nodes.map((node: any) => [node.id, node]),
  );
  for (const node of places) expect([after.get(node.id)?.x, after.get(node.id)?.y]).toEqual([node.x, node.y]);
});

test("what changes is only told where a picture is large", async ({ page, request }) => {
  await page.route(GRAPH, (route) => route.fulfill(bytes(communities(3000, 6000, 12))));
  await page.goto("/#/explore");
  await expect(counted(page)).toContainText("3,000 nodes");
  await page.waitForTimeout(500);
  await post(request, "/v1/remember", { text: `${word} note about nothing much.` });
  await expect(page.getByRole("button", { name: "Show them" })).toBeVisible({ timeout: 15_000 });
});

test("a workspace with more nodes than a picture holds shows communities first", async ({ page }) => {
  await withCounts(page, 900_000, 100_000);
  const asked: string[] = [];
  await page.route(GRAPH, (route) => {
    asked.push(new URL(route.request().url()).search);
    const one = encode(
      [{ handle: "community:4", label: "harbour copper", type: "community", community: 4, degree: 400 }],
      [],
      {
        total_nodes: 1_000_000,
        communities: [{ id: 4, label: "harbour copper", size: 812, x: 0, y: 0, radius: 9 }],
      },
    );
    return route.fulfill(bytes(asked.length === 1 ? one : communities(800, 1600, 1)));
  });
  await page.goto("/#/explore");
  await expect(counted(page)).toContainText("1,000,000 nodes in all");
  const box = (await page.locator("griot-picture").boundingBox())!;
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
  await expect.poll(() => address(page).get("community")).toBe("4");
  await expect(counted(page)).toContainText("800 nodes");
  expect(asked).toEqual(["?communities=true", "?community=4"]);
  await page.getByRole("button", { name: "Communities" }).click();
  await expect.poll(() => asked.at(-1)).toBe("?communities=true");
  await page.getByRole("button", { name: "Whole graph" }).click();
  await expect.poll(() => asked.at(-1)).toBe("");
});

test("until communities are computed, it says how far they are, and then shows them", async ({ page }) => {
  await withCounts(page, 900_000, 100_000);
  let ready = false;
  await page.route("**/v1/graph/layout*", (route) =>
    route.fulfill({ json: { state: ready ? "ready" : "running", revision: null, share: ready ? 1 : 0.4 } }),
  );
  await page.route(GRAPH, (route) =>
    route.fulfill(
      bytes(
        ready
          ? encode([{ handle: "4", label: "harbour copper", type: "community", community: 4 }], [])
          : encode([], [], { layout: "provisional", total_nodes: 1_000_000 }),
      ),
    ),
  );
  await page.goto("/#/explore");
  await expect(page.getByText("are being computed: 40 % done")).toBeVisible();
  ready = true;
  await expect(counted(page)).toContainText("1 node", { timeout: 10_000 });
  await expect(page.getByText("are being computed")).toHaveCount(0);
});

test("a graph of 20,000 nodes can be moved and picked; memory stays flat over 100 expansions", async ({
  page,
}) => {
  test.setTimeout(240_000);
  // The time that the main thread spends in each frame.
  await page.addInitScript(() => {
    const frames: number[] = ((window as any).frames = []);
    const was = requestAnimationFrame;
    window.requestAnimationFrame = (run) =>
      was.call(window, (now) => {
        const start = performance.now();
        run(now);
        frames.push(performance.now() - start);
      });
  });
  const large = communities();
  await page.route(GRAPH, (route) => {
    const around = new URL(route.request().url()).searchParams.get("around");
    if (around === null) return route.fulfill(bytes(large));
    const ring = Array.from({ length: 40 }, (_, at) => ({
      handle: `${around}/${at}`,
      x: Math.cos(at),
      y: Math.sin(at),
    }));
    return route.fulfill(
      bytes(
        encode(
          [{ handle: around }, ...ring],
          ring.map((_, at) => ({ from: 0, to: at + 1, handle: `${around}:${at}` })),
        ),
      ),
    );
  });
  await page.goto("/#/explore");
  await expect(counted(page)).toContainText("20,000 nodes, 60,000 edges");
  await page.waitForTimeout(1500);
  const box = (await page.locator("griot-picture").boundingBox())!;
  await page.evaluate(() => {
    (window as any).frames.length = 0;
  });
  await page.mouse.move(box.x + 10, box.y + 10);
  await page.mouse.down();
  for (let step = 1; step <= 20; step += 1)
    await page.mouse.move(box.x + 10 + step * 6, box.y + 10 + step * 3);
  await page.mouse.up();
  const frames: number[] = (await page.evaluate(() => (window as any).frames)).sort(
    (a: number, b: number) => a - b,
  );
  expect(frames.length).toBeGreaterThan(3);
  const picks: number[] = await page.evaluate(() => {
    const canvas = document.querySelector(".picture-labels")!;
    return Array.from({ length: 200 }, (_, at) => {
      const start = performance.now();
      canvas.dispatchEvent(
        new PointerEvent("pointermove", { clientX: 500 + at, clientY: 300 + at, pointerType: "mouse" }),
      );
      return performance.now() - start;
    });
  });
  const [first, rest] = [picks[0]!, picks.slice(1).sort((a, b) => a - b)];
  const half = (all: number[]) => all[all.length >> 1]!.toFixed(1);
  const client = await page.context().newCDPSession(page);
  const heap = async () => {
    await client.send("HeapProfiler.collectGarbage");
    // Arrays of numbers lie outside of the heap proper.
    const usage: { usedSize: number; backingStorageSize?: number } =
      await client.send("Runtime.getHeapUsage");
    return (usage.usedSize + (usage.backingStorageSize ?? 0)) / 2 ** 20;
  };
  const sizes: number[] = [];
  const graph = decode(large);
  const go = (hash: string) =>
    page.evaluate((to) => {
      history.replaceState(null, "", to);
      window.dispatchEvent(new HashChangeEvent("hashchange"));
    }, hash);
  for (let round = 0; round < 100; round += 1) {
    if (round % 20 === 0) sizes.push(await heap());
    await go(`#/explore?open=${encodeURIComponent(graph.handles.at(round * 7))}`);
    await expect(counted(page)).toContainText("20,040 nodes, 60,040 edges");
    await go("#/explore");
    await expect(counted(page)).toContainText("20,000 nodes, 60,000 edges");
  }
  sizes.push(await heap());
  console.log(
    `frames ${frames.length}: median ${half(frames)} ms, longest ${frames.at(-1)!.toFixed(1)} ms;` +
      ` picking: first ${first.toFixed(1)} ms, median ${half(rest)} ms;` +
      ` memory ${sizes.map((size) => size.toFixed(1)).join(", ")} MiB`,
  );
  expect(sizes.at(-1)!).toBeLessThan(sizes[1]! * 1.2 + 5);
});
