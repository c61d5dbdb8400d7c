// The search in the background: its button, its figures, and what it has found. All windows show the same search.

import { ask, Refused, wordsOf } from "./asking";
import { parse } from "./decode";
import { h } from "./dom";
import { counted, grouped } from "./text";
import { isObject, type Json, type JsonObject } from "./values";

const pause = 400, // ms between two looks at a search that runs
  longPause = 3_000; // at one that does not, or if nobody answers

export class Searching {
  readonly element = h("section", { "aria-label": "Checker" });
  private readonly button = h("button", { type: "button", click: () => void this.press() }, "Check every schedule");
  private readonly figures = h("p", { class: "figures", role: "status" });
  private readonly found = h("div", {});
  private running = false;
  private shown = "";
  private timer = 0;

  constructor(private readonly adopt: (finding: number) => Promise<void>) {
    this.element.append(h("h2", {}, "Checker"), this.button, this.figures, this.found);
    void this.look();
  }

  private async press(): Promise<void> {
    await this.look(this.running ? "stop" : "search", {});
  }

  private async look(what = "progress", body?: unknown): Promise<void> {
    window.clearTimeout(this.timer);
    let wait = longPause;
    try {
      const json = parse(await ask(what, body));
      if (isObject(json)) this.show(json);
      if (this.running) wait = pause;
    } catch (error) {
      this.figures.textContent = wordsOf(error);
      if (!(error instanceof Refused)) throw error;
    }
    this.timer = window.setTimeout(() => void this.look(), wait);
  }

  private show(all: JsonObject): void {
    this.running = all["state"] === "running";
    this.button.textContent = this.running ? "Stop" : "Check every schedule";
    const words = this.running ? `Searching: ${figuresText(all["progress"])}` : endText(all);
    if (this.figures.textContent !== words) this.figures.textContent = words;
    const result = isObject(all["result"]) ? all["result"] : {};
    const runs = Array.isArray(result["runs"]) ? result["runs"].filter(isObject) : [];
    const key = JSON.stringify(runs);
    if (key === this.shown) return;
    this.shown = key;
    this.found.replaceChildren(
      ...runs.map((one, i) =>
        h(
          "button",
          { type: "button", class: "found", click: () => void this.adopt(i) },
          `Show how ${String(one["property"]) || "a property"} is violated, in ${counted(Number(one["steps"]), "step")}`,
        ),
      ),
    );
  }
}

function figuresText(json: Json | undefined): string {
  if (!isObject(json)) return "it begins";
  const figure = (name: string): string => grouped(Number(json[name] ?? 0));
  return `${figure("states")} states, ${figure("transitions")} transitions, depth ${figure("depth")}, ${Number(json["seconds"] ?? 0).toFixed(1)} s`;
}

function endText(all: JsonObject): string {
  if (isObject(all["result"])) return String(all["result"]["line"]);
  return typeof all["trouble"] === "string" ? all["trouble"] : "";
}
