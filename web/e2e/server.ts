// The running server at GRIOT_URL, as the specs of pages fill, ask and open it.

import { expect, type Page } from "@playwright/test";

export const URL = process.env["GRIOT_URL"] ?? "http://127.0.0.1:4747";

export async function post<T>(path: string, body: object, method = "POST"): Promise<T> {
  const response = await fetch(`${URL}${path}`, {
    method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

export const get = async <T>(path: string): Promise<T> => (await (await fetch(`${URL}${path}`)).json()) as T;

/** Different in each run, so that a workspace may be used again. */
export const RUN = Date.now().toString(36);

export interface Stored { handle: string; id: string; source: string }

export const remember = (text: string, more: object = {}) =>
  post<Stored>("/v1/remember", { text, source: `notes ${RUN}`, ...more });

/** Opens a page and fails if anything of it was refused by the content-security policy or threw. */
export async function open(page: Page, hash: string): Promise<void> {
  page.on("pageerror", (error) => { throw error; });
  page.on("console", (message) => {
    expect(message.text()).not.toContain("Content Security Policy");
  });
  await page.goto(`${URL}/${hash}`);
}
