// Rollout and health: how far the graph is switched on and how it does, whether the workspace is sound, and
// what language models cost.

import { html, nothing, svg, type TemplateResult } from "lit";
import type {
  Health as Soundness, Rollout, RolloutWindow, Usage, UsageRow,
} from "../../../sdk/typescript/src/types.js";
import { link } from "../address.js";
import { Asked } from "../parts/asked.js";
import { followChanges } from "../parts/changes.js";
import { Part } from "../parts/part.js";
import { count, day, percent, time, told } from "../parts/told.js";
import { sentence, spaced, type Chip } from "../parts/words.js";
import { followWorkspace, workspace } from "../parts/workspace.js";
import { session } from "../session.js";
import { chip } from "./card.js";
import "./job-list.js";
import "./log.js";

const MODES: Record<string, string> = {
  off: "The graph is not run.",
  shadow: "It is run and measured, and changes no answer.",
  canary: "It answers those who ask for it and a share of the others, as long as the gate allows.",
  on: "It answers everybody who does not decline it.",
};

const GATE: Record<string, Chip> = {
  open: { words: "open", tone: "good", sign: "✓" },
  half_open: { words: "half open: it probes", tone: "warn", sign: "◐" },
  blocked: { words: "blocked", tone: "bad", sign: "✕" },
};

const SEVERITY: Record<string, Chip> = {
  info: { words: "info", tone: "quiet", sign: "i" },
  warning: { words: "warning", tone: "warn", sign: "!" },
  critical: { words: "critical", tone: "bad", sign: "‼" },
};

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Requests of each of the last 30 days, earliest first, days without any included. */
export function callsByDay(rows: UsageRow[], now: number): { day: string; calls: number }[] {
  const today = Math.floor(now / DAY_MS);
  const days = Array.from({ length: DAYS }, (_, at) => ({
    day: new Date((today - DAYS + 1 + at) * DAY_MS).toISOString(),
    calls: 0,
  }));
  for (const row of rows) {
    const day = days[Math.floor(Date.parse(row.day) / DAY_MS) - today + DAYS - 1];
    if (day) day.calls += row.calls;
  }
  return days;
}

class Health extends Part {
  static override properties = { wanted: { state: true } };
  /** The mode that the gate refused, which can be set all the same. */
  declare wanted: string | null;
  readonly #rollout = new Asked<Rollout>(this);
  readonly #set = new Asked<Rollout>(this);
  readonly #doctor = new Asked<Soundness>(this);
  readonly #usage = new Asked<Usage>(this);

  constructor() {
    super();
    this.wanted = null;
    followChanges(this, () => this.#load());
    followWorkspace(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#load();
    void workspace.load();
    void this.#usage.ask((signal) => session.client.usage({ days: DAYS }, { signal }));
  }

  #load(): void {
    void this.#rollout.ask((signal) => session.client.rollout({}, { signal }));
  }

  protected override render(): TemplateResult {
    const rollout = this.#rollout.value;
    return html`<h1>Rollout and health</h1>
      ${told(this.#rollout.failure)}
      ${rollout ? html`${this.#alarms(rollout)}${this.#mode(rollout)}${this.#gate(rollout)}${windows(rollout)}
        ${incidents(rollout)}` : nothing}
      ${this.#contents()}
      ${this.#soundness()}
      ${this.#models()}
      ${workspace.may("admin") ? html`<griot-log></griot-log>` : nothing}
      <section class="card"><h2>Jobs</h2><griot-jobs .most=${10}></griot-jobs></section>`;
  }

  #alarms({ alarms }: Rollout): TemplateResult | typeof nothing {
    if (alarms.length === 0) return nothing;
    return html`<section class="card alarms" role="alert"><h2>${count(alarms.length,
      "alarm")}</h2><ul>${alarms.map((alarm) => html`<li>
      ${chip(SEVERITY[alarm.severity] ?? { words: alarm.severity, tone: "quiet", sign: "•" })}
      ${alarm.message} <span class="quiet">${sentence(alarm.code)},
        ${time(alarm.triggered_at)}</span></li>`)}</ul></section>`;
  }

  #mode(rollout: Rollout): TemplateResult {
    const may = workspace.may("admin");
    return html`<section class="card"><h2>The graph is ${rollout.mode}</h2>
      <p>${MODES[rollout.mode] ?? ""} ${rollout.enabled ? nothing
        : html`<strong class="warn">The setting recall.graph is off, so it is not used.</strong>`}</p>
      <p class="quiet">${rollout.updated_at ? html`Set ${time(rollout.updated_at)} by ${rollout.updated_by}.`
        : "Never changed."}
        Advised: <strong>${rollout.recommended}</strong>, ${rollout.rationale}.</p>
      ${may ? html`<div class="row modes" role="group"
        aria-label="Mode of the graph">${Object.keys(MODES).map((mode) => html`<button
        aria-pressed=${mode === rollout.mode} ?disabled=${mode === rollout.mode
          || this.#set.busy} title=${MODES[mode]!}
        @click=${() => this.#choose(mode, false)}>${mode}</button>`)}</div>` : nothing}
      ${told(this.#set.failure)}
      ${this.wanted && this.#set.failure !== null ? html`<p><button class="danger" @click=${() =>
        this.#choose(this.wanted!, true)}>Set
        ${this.wanted} all the same</button> <span class="quiet">This discards the evidence so
          far.</span></p>` : nothing}
      <h3>On the way to on</h3>
      <ol class="stages">${rollout.stages.map((stage) => html`<li>
        ${chip(stage.ready ? { words: "ready", tone: "good", sign: "✓" } : { words: "not yet", tone: "quiet",
          sign: "…" })}
        <strong>${spaced(stage.stage)}</strong>
        <span class="quiet">${stage.required_samples > 0
          ? `${stage.current_samples} of ${stage.required_samples} runs` : ""}
          ${stage.blockers.map(sentence).join(" · ")}</span></li>`)}</ol>
      <p class="quiet">${rollout.ready_windows} of ${rollout.ready_windows_wanted} ready windows in a row. A
        person sets the mode.</p>
    </section>`;
  }

  #gate({ gate, goals, window_hours }: Rollout): TemplateResult {
    return html`<section class="card"><h2>Quality gate</h2>
      <p>${chip(GATE[gate.state] ?? { words: gate.state, tone: "quiet", sign: "•" })}
        ${gate.since ? html`since ${time(gate.since)}` : nothing}
        <span class="quiet">Verdict: ${spaced(gate.status)}${gate.state === "half_open"
          ? `, ${gate.probes} of ${gate.probes_wanted} probes` : ""}. It judges windows of
            ${window_hours} h that have ended.</span></p>
      ${gate.reasons.length > 0 ? html`<ul>${gate.reasons.map((reason) => html`<li class=${reason.blocking
        ? "bad" : "warn"}>
        ${reason.blocking ? "Blocks" : "Warns"}: ${sentence(reason.code)} (${reason.value.toFixed(3)}, limit
          ${reason.limit})</li>`)}</ul>` : nothing}
      <div class="scroll" tabindex="0" role="region" aria-label="Goals"><table><thead><tr><th
        scope="col">Goal</th><th scope="col">Should be</th>
        <th scope="col">Is</th><th scope="col">Met</th></tr></thead>
        <tbody>${goals.map((goal) => html`<tr><td>${spaced(goal.metric)}</td>
          <td>${goal.comparator === ">=" ? "at least" : "at most"} ${goal.target}</td>
          <td>${Number(goal.current.toFixed(3))}</td>
          <td>${goal.ready ? html`<span class="good">✓ yes</span>`
            : html`<span class="quiet">… no</span>`}</td></tr>`)}</tbody></table></div>
    </section>`;
  }

  #contents(): TemplateResult | typeof nothing {
    const status = workspace.status;
    if (!status) return nothing;
    const { counts } = status;
    const table = (title: string, of: Record<string, number>) => Object.keys(of).length === 0 ? nothing
      : html`<div><h3>${title}</h3>
      <dl class="pairs">${Object.entries(of).sort((a, b) => b[1] - a[1]).map(([name, number]) =>
        html`<dt>${name}</dt><dd>${number.toLocaleString()}</dd>`)}</dl></div>`;
    return html`<section class="card"><h2>Contents</h2>
      <p>${count(counts.memories, "memory", "memories")}, ${count(counts.entities, "entity", "entities")},
        ${count(counts.edges, "edge")}, ${count(counts.facts, "fact")}, ${count(counts.sources, "source")};
        ${(status.bytes / 1e6).toFixed(1)} MB${status.earliest && status.latest
          ? html`, from ${time(status.earliest)} to ${time(status.latest)}` : nothing}.</p>
      <p class="quiet">${counts.superseded_memories} superseded, ${counts.deleted_memories} forgotten,
        ${counts.expired_memories}
        expired; ${counts.vectors} vectors of ${status.stored_model ?? "no model"}${status.embedder ===
          status.stored_model ? ""
          : html` <span class="warn">(the settings choose ${status.embedder})</span>`}.
        ${status.open_warnings > 0 ? html`<a href=${link("review", {
          kind: "warning" })}>${count(status.open_warnings, "open warning")}</a>` : nothing}
        ${Object.entries(status.unread).map(([task, number]) => `${number} not read for ${task}. `)}</p>
      <details><summary>By kind, type and origin</summary><div class="tallies">${table("Memories",
        counts.memories_by_kind)}
        ${table("Entities", counts.entities_by_type)}${table("Edges", counts.edges_by_kind)}
        ${table("Edges by origin", counts.edges_by_provenance)}</div></details>
    </section>`;
  }

  #soundness(): TemplateResult | typeof nothing {
    if (!workspace.may("admin")) return nothing;
    const health = this.#doctor.value;
    return html`<section class="card"><div class="row"><h2 class="grow">Soundness</h2>
        <button ?disabled=${this.#doctor.busy} @click=${() =>
          this.#doctor.ask((signal) => session.client.doctor({}, { signal, timeoutMs: 300_000 }))}>${
          this.#doctor.busy ? "Checking…" : "Check the workspace"}</button></div>
      ${told(this.#doctor.failure)}
      <div role="status">${health ? html`
        <p>${chip(health.sound ? { words: "sound", tone: "good", sign: "✓" } : { words: "not sound",
          tone: "bad", sign: "✕" })}</p>
        <ul>${health.problems.map((text) => html`<li class="bad">${text}</li>`)}
          ${health.checked.map((text) => html`<li class="quiet">Checked: ${text}</li>`)}</ul>
        ${health.sound ? nothing : html`<p class="quiet"><code>griot doctor --repair</code> mends what can be
          mended.</p>`}` : nothing}</div>
    </section>`;
  }

  #models(): TemplateResult {
    const usage = this.#usage.value;
    return html`<section class="card"><h2>Language models, the last ${DAYS} days</h2>
      ${told(this.#usage.failure)}
      ${!usage ? nothing : usage.rows.length === 0 ? html`<p class="quiet">No language model was asked.</p>`
        : html`
        <p>${count(usage.total.calls, "request")}, ${count(usage.total.kept, "kept reply", "kept replies")},
          ${count(usage.total.input_tokens, "token")} sent, ${count(usage.total.output_tokens,
            "token")} received${
          usage.total.cost === null ? "" : `, cost ${usage.total.cost.toFixed(4)}`}.</p>
        ${chart(callsByDay(usage.rows, Date.now()))}
        <div class="scroll" tabindex="0" role="region" aria-label="Usage"><table><thead><tr>${["Day", "For",
          "Model", "Requests", "Failed", "Kept",
          "Sent", "Received", "Cost"].map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
          <tbody>${usage.rows.map((row) =>
            html`<tr><td>${day(row.day)}</td><td>${spaced(row.purpose)}</td><td>${row.model}
            <span class="quiet">${row.provider}</span></td><td>${row.calls}</td>
            <td>${row.failed}${row.unfinished > 0 ? html` <span class="warn">${row.unfinished}
              unfinished</span>` : nothing}</td>
            <td>${row.kept}</td>
            <td>${row.input_tokens.toLocaleString()}</td><td>${row.output_tokens.toLocaleString()}</td>
            <td>${row.cost === null ? "–" : row.cost.toFixed(4)}</td></tr>`)}</tbody></table></div>`}
      ${usage ? this.#left(usage) : nothing}
    </section>`;
  }

  #left({ today }: Usage): TemplateResult | typeof nothing {
    const left = [
      today.calls_left === null ? null : count(today.calls_left, "request"),
      today.tokens_left === null ? null : count(today.tokens_left, "token"),
      today.cost_left === null ? null : `${today.cost_left.toFixed(2)} of money`,
    ].filter((text) => text !== null);
    return left.length === 0 ? nothing : html`<p class="quiet">Left today: ${left.join(", ")}.</p>`;
  }

  async #choose(mode: string, force: boolean): Promise<void> {
    this.wanted = mode;
    await this.#set.send((signal) => session.client.setRollout({ mode, ...(force ? { force } : {}) }, {
      signal }));
    if (this.#set.failure !== null) return;
    this.wanted = null;
    this.#rollout.value = this.#set.value;
    this.requestUpdate();
  }
}

/** What was counted in each window, and the two strategies beside each other. */
function windows(rollout: Rollout): TemplateResult {
  const share = (part: RolloutWindow, value: number) => (part.requests === 0 ? "–" : percent(value));
  const ms = (value: number | null) => (value === null ? "–" : `${value.toFixed(1)} ms`);
  const votes = (good: number, bad: number) => (good + bad === 0 ? "–" : `${good} ▲ ${bad} ▼`);
  return html`<section class="card"><h2>Windows</h2>
    ${rollout.windows.length === 0 ? html`<p class="quiet">No question was counted yet.</p>` : html`
    <div class="scroll" tabindex="0" role="region" aria-label="Windows"><table class="windows"><thead>
      <tr><th scope="col" rowspan="2">From</th><th scope="col" rowspan="2">Questions</th><th scope="col"
        rowspan="2">By the graph</th>
        <th scope="col" rowspan="2">In shadow</th><th scope="col" rowspan="2">Failed</th><th scope="col"
          rowspan="2">Contributed</th>
        <th scope="col" rowspan="2">Overlap</th><th scope="colgroup" colspan="2">Time of an answer</th>
        <th scope="colgroup" colspan="2">Feedback</th><th scope="col" rowspan="2">Gain (nDCG@10)</th></tr>
      <tr><th scope="col">without</th><th scope="col">with</th><th scope="col">without</th><th
        scope="col">with</th></tr></thead>
      <tbody>${rollout.windows.map((one) => html`<tr><td>${time(one.start)}${one.closed ? "" : html`
        <span class="chip">open</span>`}</td>
        <td>${one.requests}</td><td>${one.hybrid_applied}${one.held > 0 ? html`
          <span class="quiet">${one.held} held</span>` : nothing}</td>
        <td>${one.shadow_executions}</td>
        <td class=${one.error_rate > 0 ? "bad" : ""}>${share(one, one.error_rate)}</td><td>${share(one,
          one.coverage)}</td>
        <td>${one.overlap === null ? "–" : percent(one.overlap)}</td>
        <td>${ms(one.baseline_ms)}</td><td>${ms(one.graph_ms)}</td>
        <td>${votes(one.good_baseline, one.bad_baseline)}</td><td>${votes(one.good_graph, one.bad_graph)}</td>
        <td>${one.relevance_gain === null ? "–" : `${one.relevance_gain >= 0 ? "+"
          : ""}${one.relevance_gain.toFixed(3)} (${one.judged})`}</td></tr>`)}</tbody></table></div>`}
  </section>`;
}

function incidents({ incidents: list }: Rollout): TemplateResult | typeof nothing {
  if (list.length === 0) return nothing;
  return html`<details class="card"><summary>${count(list.length,
    "failure")} of the graph</summary><ul>${list.map((one) => html`<li>
    ${time(one.at)} ${spaced(one.reason)}${one.shadow ? " (in shadow)"
      : ""}: ${one.message}</li>`)}</ul></details>`;
}

/** Requests a day as bars; the table below says the same in numbers. */
function chart(days: { day: string; calls: number }[]): TemplateResult {
  const most = Math.max(1, ...days.map((one) => one.calls));
  const wide = 100 / Math.max(1, days.length);
  return html`<svg class="chart" viewBox="0 0 100 24" preserveAspectRatio="none"
    aria-hidden="true">${days.map((one, at) => svg`
    <rect x=${at * wide + wide * 0.1} y=${24 - (one.calls / most) * 24} width=${wide * 0.8}
      height=${(one.calls / most) * 24}>
      <title>${day(one.day)}: ${one.calls}</title></rect>`)}</svg>`;
}

customElements.define("griot-health", Health);
