// Whose memories are meant: a user and a project, kept in the address of every page that asks for them.

import { html, type TemplateResult } from "lit";
import { change, place } from "../address.js";

/** As every verb takes it. Without a user or a project, nothing is left out for it. */
export interface Scope {
  user?: string;
  project?: string;
}

export function scopeOf(parameters: URLSearchParams = place().parameters): Scope {
  const [user, project] = ["user", "project"].map((name) => parameters.get(name)?.trim());
  return { ...(user ? { user } : {}), ...(project ? { project } : {}) };
}

/** A form that changes the scope in the address. */
export function scopeForm(): TemplateResult {
  const { user, project } = scopeOf();
  return html`<details class="more" ?open=${user !== undefined
    || project !== undefined}><summary>Scope</summary>
    <form class="row fields" @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      const given = new FormData(event.target as HTMLFormElement);
      change({ user: String(given.get("user")).trim(), project: String(given.get("project")).trim() }, true);
    }}>
      <label>User <input name="user" .value=${user ?? ""} size="14" placeholder="any"></label>
      <label>Project <input name="project" .value=${project ?? ""} size="14" placeholder="any"></label>
      <button>Show</button>
    </form>
  </details>`;
}
