import { html, type TemplateResult } from "lit";
import { Part } from "../parts/part.js";

class Explorer extends Part {
  protected override render(): TemplateResult {
    return html`<h1>Explore</h1>`;
  }
}

customElements.define("griot-explorer", Explorer);
