// The answer of `recall` inside a chat client, below the call of the model.

import { html, nothing, type TemplateResult } from "lit";
import type { Recall, RecallRequest } from "../../sdk/typescript/src/types.js";
import "../src/style.css";
import "./app.css";
import { version } from "../package.json";
import { cards, chains, leftOut, rules, story, summary } from "../src/pages/answer.js";
import { Asked } from "../src/parts/asked.js";
import { safeAddress } from "../src/parts/citation.js";
import { listen, Part } from "../src/parts/part.js";
import { told } from "../src/parts/told.js";
import { go, link, place } from "./address.js";
import type { ToolResult } from "./host.js";
import { Look } from "./look.js";
import { host, session } from "./session.js";
import { failureIn, filtersOf, givenOf, objectIn, questionOf, textIn } from "./told.js";
import { followWorkspace, workspace } from "./workspace.js";

class View extends Part {
  static override properties = { result: { state: true }, ended: { state: true }, notice: { state: true } };
  /** What the model got. */
  declare result: ToolResult | null;
  /** Why there is no result. */
  declare ended: string | null;
  /** What became of a link. */
  declare notice: string | null;

  readonly #recall = new Asked<Recall>(this);
  #question: RecallRequest | null = null;
  #scrolledTo = "";

  constructor() {
    super();
    this.result = null;
    this.ended = null;
    this.notice = null;
    const look = new Look();
    const hear = <T>(method: string, run: (told: T) => void) =>
      listen(this, host, `ui/notifications/${method}`, (event) => run((event as CustomEvent<T>).detail));
    hear<{ arguments?: Record<string, unknown> }>("tool-input", (told) => this.#asked(told.arguments ?? {}));
    hear<ToolResult>("tool-result", (result) => this.#answered(result));
    hear<{ reason?: string }>("tool-cancelled", ({ reason }) => {
      this.ended = `The question was cancelled${reason ? `: ${reason}` : ""}.`;
    });
    listen(this, host, "context", () => look.wear(host.context));
    listen(this, window, "hashchange", () => this.requestUpdate());
    this.addEventListener("click", (event) => this.#follow(event));
    followWorkspace(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    host.open(version).then(
      // Without a role, nothing is offered that writes.
      () => void workspace.load().catch(() => undefined),
      (failure: Error) => (this.ended = `The chat client does not answer: ${failure.message}.`),
    );
    let last = 0;
    new ResizeObserver(() => {
      const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
      if (height !== last) host.notify("ui/notifications/size-changed", { height });
      last = height;
    }).observe(document.documentElement);
  }

  #asked(given: Record<string, unknown>): void {
    const question = (this.#question = questionOf(given));
    const { query, as_of, user, project } = question;
    const known = Object.entries({ q: query, as_of, user, project }).filter(([, value]) => value);
    go(link("ask", Object.fromEntries(known) as Record<string, string>));
    this.requestUpdate();
  }

  #answered(result: ToolResult): void {
    this.result = result;
    if (result.isError) return;
    const whole = objectIn<Recall>(result);
    if (whole !== null) void this.#recall.ask(async () => whole);
    else this.#ask();
  }

  #ask(): void {
    const question = this.#question;
    if (question === null || !host.mayCall) return;
    void this.#recall.ask((signal) => session.client.recall(question, { signal }));
  }

  /** Links of this view stay in it; others are opened by the host. */
  #follow(event: Event): void {
    const anchor = (event.target as Element).closest("a[href]");
    if (!anchor) return;
    event.preventDefault();
    const to = anchor.getAttribute("href") ?? "";
    const outside = safeAddress(to);
    if (to.startsWith("#/")) go(to);
    else if (outside) void this.#open(outside);
  }

  async #open(url: string): Promise<void> {
    this.notice = null;
    try {
      if (host.capabilities.openLinks === undefined) throw new Error("the chat client opens no links");
      await host.openLink(url);
    } catch (failure) {
      this.notice = `Could not open ${url}: ${(failure as Error).message}.`;
    }
  }

  /** A story that is not below its answer stands above all; it may be out of sight. */
  protected override updated(): void {
    const of = place().parameters.get("of") ?? "";
    if (of === this.#scrolledTo) return;
    this.#scrolledTo = of;
    this.querySelector("section[data-story]")?.scrollIntoView({ block: "nearest" });
  }

  protected override render(): TemplateResult {
    const { value, failure, busy } = this.#recall;
    return html`<main class="page page-ask">
      <h1 dir="auto">${this.#question?.query || "Answer of the memory"}</h1>
      ${this.#filters()}
      ${this.notice ? html`<p class="warn" role="status">${this.notice}</p>` : nothing}
      <div aria-live="polite">${this.#state()}${value && !busy ? this.#summary(value) : nothing}</div>
      ${failure ? html`${told(failure)}
        <p><button @click=${() => this.#ask()}>Ask again</button></p>` : nothing}
      ${value ? this.#answer(value) : this.result && !busy ? this.#text(this.result) : nothing}
    </main>`;
  }

  #filters(): TemplateResult | typeof nothing {
    const filters = this.#question ? filtersOf(this.#question) : [];
    if (filters.length === 0) return nothing;
    return html`<p class="quiet">${filters.map(([name, value]) =>
      html`<span class="chip" dir="auto">${name}: ${value}</span> `)}</p>`;
  }

  #state(): TemplateResult | typeof nothing {
    if (this.ended) return html`<p class="quiet">${this.ended}</p>`;
    if (this.result?.isError) return html`${told(failureIn(this.result))}`;
    if (this.#recall.busy || !this.result) {
      return html`<p class="quiet">${this.#question ? "Asking…" : "Waiting for the question…"}</p>`;
    }
    return nothing;
  }

  #summary(recall: Recall): TemplateResult {
    const text = this.result && objectIn(this.result) === null ? textIn(this.result) : "";
    const given = text === "" ? null : givenOf(text, recall);
    return html`${summary(recall)}
      ${given?.isOther ? html`<p class="warn">The memory has changed since: the model was given other
        memories than these.</p>`
        : given && given.count < recall.results.length ? html`<p class="quiet">The model was given
          ${given.count} of them.</p>` : nothing}`;
  }

  #answer(recall: Recall): TemplateResult {
    const { parameters } = place();
    const of = parameters.get("of");
    const inCard = recall.results.some((result) => result.handle === of);
    return html`
      ${of && !inCard ? story(of, parameters.get("view") ?? "why") : nothing}
      ${recall.abstained === null ? nothing : html`<p class="card silent">${recall.abstained}</p>`}
      ${chains(recall)}
      ${workspace.may("write") ? html`<griot-verdict .answer=${recall.rollout.id}></griot-verdict>` : nothing}
      ${cards(recall, null)}
      ${rules(recall.rules, recall.rules_left_out)}
      ${leftOut(recall.rejected)}
    `;
  }

  /** All there is where the chat client does not let this view ask. */
  #text(result: ToolResult): TemplateResult | typeof nothing {
    const text = textIn(result);
    if (result.isError || text === "") return nothing;
    return html`<p class="quiet">What the model was given:</p><pre dir="auto">${text}</pre>`;
  }
}

customElements.define("griot-recall", View);
