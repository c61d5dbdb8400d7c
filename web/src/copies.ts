// What leaves the page: to the clipboard, into files, and the menu that offers it.

import { asMermaid, asShiViz, asText } from "./exporting";
import type { Finding } from "./finding";
import { h } from "./dom";
import type { Run } from "./run";
import { modelOf, propertyOf, verdictOf } from "./verdict";

export class Copies {
  readonly toast = h("div", { class: "toast", role: "status" });

  copy(text: string, what: string): void {
    const done = (): void => this.say(`${what} ${what.startsWith("The") ? "is" : "are"} copied.`);
    // Browsers without a clipboard for pages from files.
    const old = (): void => {
      const area = h("textarea", { class: "visually-hidden", "aria-hidden": "true" });
      area.value = text;
      document.body.append(area);
      area.select();
      const worked = document.execCommand("copy");
      area.remove();
      if (worked) done();
      else this.save("heddle.txt", "text/plain", text);
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, old);
    else old();
  }

  save(name: string, type: string, text: string): void {
    const url = URL.createObjectURL(new Blob([text], { type }));
    h("a", { href: url, download: name }).click();
    window.setTimeout(() => URL.revokeObjectURL(url), 1_000);
    this.say(`${name} is saved.`);
  }

  say(text: string): void {
    this.toast.textContent = text;
    window.setTimeout(() => {
      if (this.toast.textContent === text) this.toast.textContent = "";
    }, 2_500);
  }
}

/** `svg` makes the picture; `close` is called before anything is copied. */
export function copyMenu(
  run: Run,
  finding: Finding,
  svg: () => string,
  copies: Copies,
  close: () => void,
): HTMLElement {
  const title = [propertyOf(finding), modelOf(finding)].filter(Boolean).join(" · ");
  const heading = [`${verdictOf(finding)}: ${title}`, finding.command].filter((one) => one !== "");
  const item = (name: string, act: () => void): HTMLElement => {
    const click = (): void => {
      close();
      act();
    };
    return h("button", { type: "button", role: "menuitem", click }, name);
  };
  return h(
    "div",
    { class: "popover menu", role: "menu" },
    item("Link to this step", () => copies.copy(location.href, "The link")),
    item("Text", () => copies.copy(asText(run, heading), "The run as text")),
    item("SVG picture", () => copies.copy(svg(), "The picture")),
    item("Mermaid diagram", () => copies.copy(asMermaid(run), "The Mermaid diagram")),
    item("Log for ShiViz", () => copies.copy(asShiViz(run), "The log for ShiViz")),
    item("Save SVG", () => copies.save("heddle-run.svg", "image/svg+xml", svg())),
    item("Save log for ShiViz", () => copies.save("heddle-run-shiviz.log", "text/plain", asShiViz(run))),
  );
}
