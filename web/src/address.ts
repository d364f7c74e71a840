// The part of the address behind `#`: which page is shown, and everything that is selected or filtered on it.

export interface Place {
  page: string;
  parameters: URLSearchParams;
}

/** `#/explore?around=m12&depth=2` is the page `explore` with two parameters. */
export function place(hash = location.hash): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return { page: path, parameters: new URLSearchParams(query) };
}

export function link(page: string, parameters: Record<string, string | string[] | undefined> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value ?? []].flat()) query.append(name, one);
  }
  const text = query.toString();
  return `#/${page}${text === "" ? "" : `?${text}`}`;
}

/** Whether there is such a page here; a link to another one would lead nowhere. */
export function leadsTo(_page: string): boolean {
  return true;
}

/** The same page with other parameters; `undefined` or an empty text removes one. */
export function changed(
  { page, parameters }: Place,
  changes: Record<string, string | string[] | undefined>,
): string {
  const query = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name);
    for (const one of [value ?? []].flat()) if (one !== "") query.append(name, one);
  }
  const text = query.toString();
  return `#/${page}${text === "" ? "" : `?${text}`}`;
}

/**
 * Changes parameters of the present page. `step` makes it a step of the browser's history, for what a person
 * would want to go back from.
 */
export function change(changes: Record<string, string | string[] | undefined>, step = false): void {
  const hash = changed(place(), changes);
  if (hash === location.hash) return;
  if (step) history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}
