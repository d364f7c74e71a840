import { html, type TemplateResult } from "lit";
import { Part } from "../parts/part.js";

class Health extends Part {
  protected override render(): TemplateResult {
    return html`<h1>Health</h1>`;
  }
}

customElements.define("griot-health", Health);
