import { html, type TemplateResult } from "lit";
import { Part } from "../parts/part.js";

class Review extends Part {
  protected override render(): TemplateResult {
    return html`<h1>Review</h1>`;
  }
}

customElements.define("griot-review", Review);
