// What every part of the page is: an element that renders into the document, so that one style sheet holds for all.

import { LitElement } from "lit";

export class Part extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** Calls `run` on each event until the element leaves the document. */
export function listen(part: LitElement, target: EventTarget, event: string, run: (event: Event) =>
  void): void {
  part.addController({
    hostConnected: () => target.addEventListener(event, run),
    hostDisconnected: () => target.removeEventListener(event, run),
  });
}
