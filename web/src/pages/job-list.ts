// The jobs: how far they are, how long they take, what failed, and what can be done with them.

import { html, nothing, type TemplateResult } from "lit";
import type { Job } from "../../../sdk/typescript/src/types.js";
import { safeAddress, shortOrigin } from "../parts/citation.js";
import { Asked } from "../parts/asked.js";
import { done, followJobs, isActive, jobs } from "../parts/jobs.js";
import { Part } from "../parts/part.js";
import { count, duration, time, told } from "../parts/told.js";
import type { Chip } from "../parts/words.js";
import { followWorkspace, workspace } from "../parts/workspace.js";
import { session } from "../session.js";
import { chip } from "./card.js";

type Action = "pause" | "resume" | "cancel" | "retry";

const STATES: Record<string, Chip> = {
  queued: { words: "waiting", tone: "quiet", sign: "…" },
  running: { words: "running", tone: "good", sign: "▶" },
  paused: { words: "paused", tone: "warn", sign: "‖" },
  done: { words: "done", tone: "good", sign: "✓" },
  failed: { words: "failed", tone: "bad", sign: "✕" },
  cancelled: { words: "cancelled", tone: "quiet", sign: "–" },
};

export function stateChip(state: string): TemplateResult {
  return chip(STATES[state] ?? { words: state, tone: "quiet", sign: "•" });
}

/** What can be done with a job in its state. */
export function actionsOf(job: Job): Action[] {
  if (isActive(job)) return ["pause", "cancel"];
  if (job.state === "paused") return ["resume", "cancel"];
  if (job.state === "failed" || (job.state === "done" && job.counts.failed > 0)) return ["retry"];
  return [];
}

const WORDS: Record<Action, string> = { pause: "Pause", resume: "Resume", cancel: "Cancel", retry: "Retry" };

class JobList extends Part {
  static override properties = { most: {}, all: { state: true } };
  /** How many are shown at first. */
  declare most: number;
  declare all: boolean;
  readonly #sent = new Asked<Job>(this);

  constructor() {
    super();
    this.most = 5;
    this.all = false;
    followJobs(this);
    followWorkspace(this);
  }

  protected override render(): TemplateResult {
    const list = jobs.list;
    const shown = this.all ? list : list.filter((job, at) => at < this.most || isActive(job));
    return html`${told(jobs.failure)}${told(this.#sent.failure)}
      ${list.length === 0 && jobs.failure === null ? html`<p class="quiet">No jobs yet.</p>` : nothing}
      <ul class="jobs">${shown.map((job) => this.#job(job))}</ul>
      ${shown.length < list.length
        ? html`<button @click=${() => (this.all = true)}>Show all ${list.length}</button>` : nothing}`;
  }

  #job(job: Job): TemplateResult {
    const { counts } = job;
    const { rate, left } = jobs.pace(job);
    const isKnown = counts.discovered > 0;
    const pace = rate === null ? "" : ` · ${rate.toFixed(rate < 10 ? 1 : 0)} a second`;
    const until = left === null || !isActive(job) ? "" : ` · ${duration(left)} left of what is known`;
    const told = [
      count(counts.memories, "memory", "memories"),
      ...(counts.unchanged > 0 ? [`${counts.unchanged} unchanged`] : []),
      ...(counts.skipped > 0 ? [`${counts.skipped} skipped`] : []),
      ...(counts.duplicates > 0 ? [count(counts.duplicates, "duplicate")] : []),
      ...(counts.gone > 0 ? [`${counts.gone} gone`] : []),
      ...(counts.dropped > 0 ? [`${counts.dropped} beyond the limits`] : []),
    ].join(", ");
    const target = safeAddress(job.target);
    return html`<li class="job" data-job=${job.id}>
      <div class="row"><span class="handle">${job.id}</span> ${job.kind} ${stateChip(job.state)}
        <span class="grow clip" title=${job.target} dir="auto">${target
          ? html`<a href=${target} target="_blank" rel="noopener noreferrer">${shortOrigin(job.target,
            80)}</a>`
          : shortOrigin(job.target, 80)}</span>
        ${workspace.may("write") ? actionsOf(job).map((action) => html`<button ?disabled=${this.#sent.busy}
          @click=${() => this.#do(job, action)}>${WORDS[action]}</button>`) : nothing}</div>
      ${isKnown && isActive(job) ? html`<progress max=${counts.discovered} .value=${done(counts)}
        aria-label=${`Progress of ${job.id}`}></progress>` : nothing}
      <p class="quiet">${isKnown ? `${done(counts)} of ${counts.discovered}${pace}${until} · ` : ""}${told} ·
        ${time(job.updated_at)}${job.every_hours ? ` · again every ${job.every_hours} h` : ""}</p>
      ${job.errors.length > 0 ? html`<details><summary class="bad">${count(job.errors.length,
        "error")}</summary>
        <ul>${job.errors.map((error) => html`<li><span dir="auto">${error.url}</span>:
          ${error.error}</li>`)}</ul></details>` : nothing}
    </li>`;
  }

  async #do({ id: name }: Job, action: Action): Promise<void> {
    const { client } = session;
    const verbs = { pause: client.pauseJob, resume: client.resumeJob, cancel: client.cancelJob,
      retry: client.retryJob };
    await this.#sent.send((signal) => verbs[action].call(client, { name }, { signal }));
    this.dispatchEvent(new Event("watch", { bubbles: true }));
    await jobs.load();
  }
}

customElements.define("griot-jobs", JobList);
