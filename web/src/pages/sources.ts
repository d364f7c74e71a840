import { html, type TemplateResult } from "lit";
import { Part } from "../parts/part.js";

class Sources extends Part {
  protected override render(): TemplateResult {
    return html`<h1>Sources</h1>`;
  }
}

customElements.define("griot-sources", Sources);
