// Jobs of the server while somebody looks at them, with how fast they get on.

import type { Job, JobCounts } from "../../../sdk/typescript/src/types.js";
import { session } from "../session.js";
import { tellSession } from "./asked.js";
import { listen, type Part } from "./part.js";

/** How far a job was at one time. */
export interface Sample {
  at: number;
  done: number;
}

export interface Pace {
  /** Pages or files in a second; `null` until that is known. */
  rate: number | null;
  /** Seconds until the known ones are done. */
  left: number | null;
}

const ACTIVE = ["queued", "running"];
const BUSY_MS = 1000;
const IDLE_MS = 10_000;
/** Older samples say little about the present pace. */
const WINDOW_MS = 20_000;

export function isActive(job: Job): boolean {
  return ACTIVE.includes(job.state);
}

/** Pages or files that need no more work. */
export function done(counts: JobCounts): number {
  return Math.min(counts.discovered, counts.processed + counts.failed + counts.skipped);
}

export function paceOf(samples: Sample[], discovered: number): Pace {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.at === first.at || last.done === first.done) return { rate: null, left: null };
  const rate = ((last.done - first.done) * 1000) / (last.at - first.at);
  return { rate, left: Math.max(0, discovered - last.done) / rate };
}

class Jobs extends EventTarget {
  list: Job[] = [];
  failure: unknown = null;
  readonly #samples = new Map<string, Sample[]>();
  #followers = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  pace(job: Job): Pace {
    return paceOf(this.#samples.get(job.id) ?? [], job.counts.discovered);
  }

  /** The latest job that reads this source, if it says more than that the source is stored. */
  of(origin: string): Job | null {
    const job = this.list.find((one) => one.target === origin);
    return job && job.state !== "done" ? job : null;
  }

  follow(): void {
    this.#followers += 1;
    if (this.#followers === 1) void this.load();
  }

  unfollow(): void {
    this.#followers -= 1;
    if (this.#followers === 0) clearTimeout(this.#timer);
  }

  async load(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      this.list = await session.client.jobs();
      this.failure = null;
    } catch (failure) {
      if (this.failure === null) tellSession(failure);
      this.failure = failure;
    }
    for (const job of this.list) this.#note(job);
    this.dispatchEvent(new Event("told"));
    clearTimeout(this.#timer);
    if (this.#followers === 0) return;
    this.#timer = setTimeout(() => void this.load(), this.list.some(isActive) ? BUSY_MS : IDLE_MS);
  }

  #note(job: Job): void {
    if (job.state !== "running") {
      this.#samples.delete(job.id);
      return;
    }
    const now = performance.now();
    const recent = (this.#samples.get(job.id) ?? []).filter((sample) => now - sample.at < WINDOW_MS);
    this.#samples.set(job.id, [...recent, { at: now, done: done(job.counts) }]);
  }
}

export const jobs = new Jobs();

/** Draws the part again with each news of a job, as long as it is in the document. */
export function followJobs(part: Part): void {
  listen(part, jobs, "told", () => part.requestUpdate());
  listen(part, session, "connected", () => void jobs.load());
  part.addController({ hostConnected: () => jobs.follow(), hostDisconnected: () => jobs.unfollow() });
}
