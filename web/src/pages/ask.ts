import { html, type TemplateResult } from "lit";
import { Part } from "../parts/part.js";

class Ask extends Part {
  protected override render(): TemplateResult {
    return html`<h1>Ask</h1>`;
  }
}

customElements.define("griot-ask", Ask);
