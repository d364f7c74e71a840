// Seven things that a person does who has never seen the page, each from its first view and by what is written
// on it. With SHOTS=FOLDER the view at the end of each is saved there.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test, type Page } from "@playwright/test";
import { post, URL } from "./server.js";

const SHOTS = process.env["SHOTS"];
/** Other specs and earlier runs have names of their own; on a picture a suffix would only puzzle. */
const RUN = SHOTS ? "" : Date.now().toString(36);
const TEAM = `Larkspur${RUN}`;

const DAYS = {
  monday: `The nightly export of ${TEAM} ran until 07:40 again: it locks the report table for hours.`,
  decision: `${TEAM} decided to run the nightly export on a read replica.`,
  before: `Invoice mails of ${TEAM} are sent through Mailgun.`,
  after: `From now on invoice mails of ${TEAM} are sent through Postmark, no longer through Mailgun.`,
  old: `# Old notes of ${TEAM}

The export writes to an FTP server of Brightwater. The team is led by Priya Raman.
`,
};

const NOTES = [
  `Ines Duarte leads ${TEAM}.`,
  `Tom Adeyemi runs the databases of ${TEAM} at Northgate Hosting.`,
  `Tom Adeyemi ordered the read replica of ${TEAM} at Northgate Hosting.`,
  `Brightwater is the largest customer of ${TEAM}.`,
  `Brightwater wants invoices of ${TEAM} as XML from January on.`,
  `Ines Duarte moved the metrics of ${TEAM} from Grafana to Datadog.`,
  `Tom Adeyemi and Ines Duarte are on call for ${TEAM} in December.`,
];

async function keep(page: Page, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` });
}

const go = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).click();

test.beforeAll(async () => {
  const cause = await post<{ handle: string }>("/v1/remember", { text: DAYS.monday, occurred_at: "2026-11-09" });
  const decision = await post<{ handle: string }>("/v1/remember", {
    text: DAYS.decision, kind: "decision", occurred_at: "2026-11-10" });
  await post("/v1/link", { source: cause.handle, target: decision.handle, kind: "causal", label: "causes",
    reason: "the minutes of Tuesday say so" });
  await post("/v1/remember", { text: DAYS.before, occurred_at: "2026-03-02" });
  await post("/v1/remember", { text: DAYS.after, occurred_at: "2026-11-11" });
  for (const text of NOTES) await post("/v1/remember", { text, entities: [`${TEAM}:org`] });
  await post("/v1/ingest", { text: DAYS.old, name: `old-notes${RUN}.md` });
  await post("/v1/remember", { text: `NGH${RUN} sent the invoice for the replica.`, entities: [`NGH${RUN}:org`] });
  await post("/v1/remember", { text: `Northgate${RUN} hosts the replica.`, entities: [`Northgate${RUN}:org`] });
  for (const name of [`Katarina Voss${RUN}`, `Katarina Vos${RUN}`]) {
    await post("/v1/remember", { text: `${name} talks to Brightwater.`, entities: [`${name}:person`] });
  }
});

test("who and what is around a thing?", async ({ page }) => {
  await page.goto(URL);
  await page.getByRole("combobox", { name: "Search" }).fill(TEAM);
  await page.getByRole("option", { name: TEAM }).first().click();
  await expect(page.locator(".explorer-count")).toContainText(/[1-9]\d* nodes/);
  const detail = page.locator(".explorer-detail");
  await expect(detail.getByRole("heading", { name: TEAM, exact: true })).toBeVisible();
  await expect(detail).toContainText("Ines Duarte leads");
  await keep(page, "explore");
});

test("why was it decided?", async ({ page }) => {
  await page.goto(URL);
  await go(page, "Ask");
  await page.getByLabel("Question").fill(`Why does ${TEAM} run the export on a read replica?`);
  await page.keyboard.press("Enter");
  await expect(page.locator(".answer").first()).toContainText(DAYS.decision);
  const chain = page.locator("section").filter({ has: page.getByRole("heading", { name: "Cause and effect" }) });
  await expect(chain).toContainText("locks the report table");
  await keep(page, "why");
});

test("what replaced it?", async ({ page }) => {
  await page.goto(URL);
  await go(page, "Ask");
  await page.getByLabel("Question").fill(`What are invoice mails of ${TEAM} sent through now?`);
  await page.keyboard.press("Enter");
  const first = page.locator(".answer").first();
  await expect(first).toContainText("Postmark");
  await expect(first.locator("header")).toContainText("current since");
  await expect(page.locator(".answer").filter({ hasText: DAYS.before })).toContainText("outdated since");
  await keep(page, "replaced");
});

test("what goes with a source?", async ({ page }) => {
  await page.goto(URL);
  await go(page, "Sources");
  await page.getByRole("link", { name: `Old notes of ${TEAM}` }).click();
  await page.getByRole("button", { name: "Erase…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("1 memory");
  await expect(dialog).toContainText(/\d+ entit/);
  await keep(page, "erase");
  await page.getByLabel("Nothing brings it back").check();
  await page.getByRole("button", { name: "Erase for good" }).click();
  await expect(page.getByText("is erased")).toBeVisible();
});

test("read a site and watch it", async ({ page }) => {
  const site = createServer((request, response) => {
    const links = Array.from({ length: 8 }, (_, at) => `<a href="/${at + 1}">Page ${at + 1}</a>`).join(" ");
    response.setHeader("content-type", "text/html");
    const answer = `<title>Handbook ${request.url}</title><main><p>Chapter ${request.url} of the handbook says
      how holidays and invoices work.</p>${links}</main>`;
    setTimeout(() => response.end(answer), 300);
  });
  await new Promise<void>((ready) => site.listen(0, "127.0.0.1", ready));
  const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  await page.goto(URL);
  await go(page, "Sources");
  await page.getByText("Read a page or a site").click();
  await page.getByLabel("Address of a page").fill(address);
  await page.locator("griot-crawl select").selectOption({ label: "the site, by its links" });
  await page.getByRole("button", { name: "Read it" }).click();
  const job = page.locator(".job").filter({ hasText: address }).first();
  await expect(job).toContainText(/[1-9]\d* (of|page)/);
  await keep(page, "crawl");
  await expect(job.locator(".chip")).toHaveText(/done/, { timeout: 30_000 });
  site.close();
});

test("merge two names and take it back", async ({ page }) => {
  await page.goto(URL);
  await go(page, "Review");
  await page.getByRole("button", { name: /^Two names of one thing\?/ }).click();
  await page.getByRole("button", { name: "Compare all names" }).click();
  const item = page.getByRole("region", { name: "Two names of one thing?" });
  // Other specs have names, too.
  while (!(await item.innerText()).includes(`Vos${RUN}`)) await page.keyboard.press("j");
  await expect(item).toContainText("differ in one character");
  await expect(page.getByText("decided elsewhere")).toHaveCount(0);
  await keep(page, "merge");
  await item.getByRole("button", { name: "Merge" }).click();
  const decisions = page.getByRole("log", { name: "Decisions" });
  await expect(decisions).toContainText(/Katarina Voss?.* is now Katarina Voss?/);
  // After a look at what became of it, it can still be taken back.
  await go(page, "Explore");
  await expect(page.locator(".explorer-count")).toBeVisible();
  await go(page, "Review");
  await decisions.getByRole("button", { name: "Undo" }).click();
  await expect(decisions).toContainText("They are two again.");
});

test("merge two names that nothing suggests, and take it back", async ({ page }) => {
  await page.goto(URL);
  await page.getByRole("combobox", { name: "Search" }).fill(`Northgate${RUN}`);
  await page.getByRole("option", { name: `Northgate${RUN}` }).first().click();
  await page.getByText("Same thing as…").click();
  const form = page.locator("griot-same");
  await form.getByRole("combobox", { name: "Is the same as" }).fill(`NGH${RUN}`);
  await page.keyboard.press("Enter");
  await expect(form.getByText(`NGH${RUN} sent the invoice`)).toBeVisible();
  await keep(page, "same");
  await form.getByRole("button", { name: "Merge" }).click();
  await expect(form.getByRole("status")).toContainText(`is now another name of`);
  await form.getByRole("button", { name: "Undo" }).click();
  await expect(form.getByRole("status")).toContainText("are two again");
});

test("merge one pair of names after another by hand", async ({ page }) => {
  await page.goto(URL);
  await go(page, "Review");
  const form = page.locator("griot-same");
  const box = (name: string) => form.getByRole("combobox", { name });
  for (const round of [1, 2]) {
    for (const [label, name] of [["One name", `Northgate${RUN}`], ["The other name", `NGH${RUN}`]] as const) {
      await box(label).fill(name);
      await page.keyboard.press("Enter");
    }
    await form.getByRole("button", { name: "Merge" }).click();
    await expect(form.getByRole("status")).toContainText("is now another name of");
    if (round === 1) {
      await form.getByRole("button", { name: "Merge two others" }).click();
      await expect(box("One name")).toHaveValue("");
      await page.getByText(/merges? so far/).click();
      await page.getByRole("button", { name: "Part", exact: true }).first().click();
      await expect(page.getByText("are two again")).toBeVisible();
    }
  }
  await form.getByRole("button", { name: "Undo" }).click();
  await expect(form.getByRole("status")).toContainText("are two again");
});
