// A window of the explorer: the page of a run that the reader makes, step by step. The run so far is shown as any other
// finding; beside it is what can happen next. The server keeps nothing of a window: a window asks for the state at the end
// of its path, and the path is in its address. So going back is the browser's, and a fork is a second window.

import { App } from "./app";
import { ask, askPatiently, wordsOf } from "./asking";
import { choiceList, missingList, propertyList } from "./choices";
import { Copies } from "./copies";
import { findingOf, parse } from "./decode";
import { h } from "./dom";
import { positionIn, prefixOf, samePosition, theBeginning, upTo, type Position } from "./position";
import { Run } from "./run";
import { Searching } from "./searching";
import { counted } from "./text";
import { isObject, type Json } from "./values";

export function isLive(text: string): boolean {
  return text.startsWith('{"format": "heddle-live"');
}

export async function explore(root: HTMLElement): Promise<void> {
  const explorer = new Explorer(root);
  await explorer.go(positionIn(location.hash) ?? theBeginning, false);
}

class Explorer {
  private position = theBeginning;
  private app: App | undefined;
  private ending = new AbortController(); // of the page of the run
  private request = 0; // of those that are under way only the last one counts
  private readonly page = h("div", { class: "finding" });
  private readonly trouble = h("p", { class: "trouble", role: "alert" });
  private readonly said = h("p", { class: "visually-hidden", role: "status" });
  private readonly back = this.button("Back", "take the last step back (backspace)", () => this.stepBack());
  private readonly over = this.button("Start over", "", () => void this.go(upTo(this.position, 0)));
  private readonly goOn = this.button("", "the steps after it are left out", () => this.goOnFromCursor());
  private readonly fork = h("a", { target: "_blank", rel: "noopener", class: "fork" }, "Fork");
  private readonly starts = h("div", {});
  private readonly possible = h("div", { class: "possible" });
  private readonly rest = h("div", {});
  private readonly copies = new Copies();
  private cursor = -1;

  constructor(root: HTMLElement) {
    const searching = new Searching(async (finding) => {
      try {
        await this.go(positionOf(parse(await ask("adopt", { finding }))));
      } catch (error) {
        this.complain(error);
      }
    });
    this.possible.addEventListener("keydown", (event) => this.walkChoices(event));
    root.classList.add("live");
    root.replaceChildren(
      h(
        "aside",
        { class: "explorer", "aria-label": "Explorer" },
        this.trouble,
        this.said,
        h("div", { class: "buttons" }, this.back, this.over, this.fork),
        this.goOn,
        this.starts,
        h("h2", { id: "possible" }, "What can happen"),
        this.possible,
        this.rest,
        searching.element,
        h("h2", {}, "Save"),
        h(
          "div",
          { class: "buttons" },
          this.button("Trace", "for heddle replay", () => void this.save("trace", "heddle-trace.json")),
          this.button("GoogleTest", "a test for your project", () => void this.save("test", "heddle_run_test.cpp")),
        ),
        this.copies.toast,
      ),
      this.page,
    );
    window.addEventListener("hashchange", () => {
      const asked = positionIn(location.hash);
      if (asked && !samePosition(asked, this.position)) void this.go(asked, false);
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  private button(text: string, title: string, click: () => void): HTMLButtonElement {
    return h("button", { type: "button", title: title || undefined, click }, text);
  }

  /** `push`: the browser's button leads back. */
  async go(position: Position, push = true): Promise<void> {
    const request = ++this.request;
    this.page.setAttribute("aria-busy", "true");
    try {
      const text = await askPatiently("look", position, () => {
        this.trouble.textContent = "The explorer does not answer; asking again.";
      });
      if (request !== this.request) return;
      const all = parse(text);
      if (!isObject(all)) throw new Error("The explorer has answered what is no state.");
      if (push) history.pushState(null, "", `#${prefixOf(position)}run/${position.path.length}`);
      this.position = position;
      this.trouble.textContent = "";
      this.show(all);
    } catch (error) {
      if (request === this.request) this.complain(error);
    } finally {
      if (request === this.request) this.page.removeAttribute("aria-busy");
    }
  }

  private complain(error: unknown): void {
    this.trouble.textContent = wordsOf(error);
  }

  private show(all: { [key: string]: Json }): void {
    const { position } = this;
    const inChoices = this.possible.contains(document.activeElement);
    const finding = findingOf(all["finding"] ?? null);
    const enabled = new Run(findingOf({ format: "heddle-report", version: 1, trace: all["enabled"] ?? null }).trace!, 0);
    const choose = (choice: number): void =>
      void this.go({ initial: position.initial, path: [...position.path, choice] });
    this.possible.replaceChildren(choiceList(enabled, Number(all["left_out"] ?? 0), choose));
    this.rest.replaceChildren(
      ...[missingList(listOf(all["missing"]), enabled)].filter((one) => one !== undefined),
      h("h2", {}, "Properties here"),
      propertyList(listOf(all["properties"])),
    );
    this.showStarts(listOf(all["starts"]).map(String));
    this.back.disabled = this.over.disabled = position.path.length === 0;
    this.fork.setAttribute("href", `#${prefixOf(position)}run/${position.path.length}`);
    this.fork.setAttribute("title", "go on from here in a second window, too");
    this.ending.abort();
    this.ending = new AbortController();
    const before = this.app;
    this.app = new App(finding, this.page, {
      signal: this.ending.signal,
      prefix: prefixOf(position),
      before,
      moved: (step) => this.moved(step),
    });
    if (!location.hash.startsWith("#path=")) history.replaceState(null, "", `#${prefixOf(position)}run`);
    const steps = counted(position.path.length, "step");
    this.said.textContent = `After ${steps}: ${counted(enabled.trace.steps.length, "step")} can happen.`;
    if (inChoices) this.focusChoices();
  }

  private showStarts(texts: string[]): void {
    if (texts.length < 2) return this.starts.replaceChildren();
    const select = h("select", { change: () => void this.go({ initial: select.selectedIndex, path: [] }) });
    select.append(...texts.map((text) => h("option", {}, text)));
    select.selectedIndex = this.position.initial;
    this.starts.replaceChildren(h("label", {}, "Begins with ", select));
  }

  private moved(cursor: number): void {
    this.cursor = cursor;
    const inside = cursor >= 0 && cursor + 1 < this.position.path.length;
    this.goOn.hidden = !inside;
    this.goOn.textContent = `Go on from step ${cursor + 1}`;
  }

  private goOnFromCursor(): void {
    void this.go(upTo(this.position, this.cursor + 1));
  }

  private stepBack(): void {
    if (this.position.path.length > 0) void this.go(upTo(this.position, this.position.path.length - 1));
  }

  private async save(what: "trace" | "test", name: string): Promise<void> {
    try {
      const text = await ask(what, this.position);
      this.copies.save(name, what === "trace" ? "application/json" : "text/plain", text);
      this.trouble.textContent = "";
    } catch (error) {
      this.complain(error);
    }
  }

  // --- Keys.

  private focusChoices(): void {
    const first = this.possible.querySelector<HTMLElement>("button");
    (first ?? this.back).focus();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target instanceof Element && event.target.closest("input, select, textarea, dialog, .popover")) return;
    if (event.key === "e") this.focusChoices();
    else if (event.key === "Backspace") this.stepBack();
    else return;
    event.preventDefault();
  }

  private walkChoices(event: KeyboardEvent): void {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const all = [...this.possible.querySelectorAll<HTMLElement>("button")];
    const at = all.findIndex((one) => one === document.activeElement);
    all[(at + by + all.length) % all.length]?.focus();
  }
}

function listOf(json: Json | undefined): Json[] {
  return Array.isArray(json) ? json : [];
}

function positionOf(json: Json): Position {
  const numbers = (isObject(json) && Array.isArray(json["path"]) ? json["path"] : []).map(Number);
  return { initial: isObject(json) ? Number(json["initial"] ?? 0) : 0, path: numbers };
}
