// The page: head, tabs and panels, keys, search, filter, copies, links. One cursor: changing the panel keeps the step.

import { badge, coverage, explanation, modelOf, neverHappened, propertyOf, settingsOf, verdictOf } from "./verdict";
import { asMermaid, asShiViz, asSvg, asText } from "./exporting";
import type { Finding } from "./finding";
import { h } from "./dom";
import { historyOf } from "./historydata";
import { HistoryPanel } from "./historypanel";
import { Inspector } from "./inspector";
import { hasTransactions, transactionsPanel } from "./transactionspanel";
import { hasPlaces, rootCauseOf, SourcePanel } from "./sourcepanel";
import { legend } from "./legend";
import { RefinementPanel } from "./refinementpanel";
import { Run } from "./run";
import { RunPanel } from "./runpanel";
import { statisticsPanel } from "./statisticspanel";
import { clean, counted, grouped } from "./text";
import { findMatches, newView, type View } from "./view";

interface Panel {
  id: string;
  title: string;
  note: string;
  element: HTMLElement;
  focus: HTMLElement;
  paint: () => void;
}

const keysHelp: [string, string][] = [
  ["↓ ↑  j k", "next, previous step"], ["/  n N", "search, next, previous match"], ["[ ]", "previous, next step of this process"], ["f", "fold what does not matter"],
  ["s", "to the send of what came in"], ["c", "causal past"], ["r", "to the receipt of what went out"], ["w", "watch the focused field"],
  ["Home End", "first step, verdict"], ["PgUp PgDn", "ten steps"], ["Enter", "on a fold: unfold it"], ["← →", "operations of a history"],
  ["1 … 6", "panels"], ["t", "light or dark"], ["?", "these keys"], ["Esc", "close"],
];

export class App {
  private readonly run: Run | undefined;
  private readonly view: View;
  private readonly panels: Panel[] = [];
  private readonly tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Panels" });
  private readonly search = h("input", { type: "search", placeholder: "Search  /", "aria-label": "Search steps" });
  private readonly found = h("span", { class: "muted", role: "status" });
  private readonly toast = h("div", { class: "toast", role: "status" });
  private readonly controls = h("div", { class: "buttons has-popover" });
  private readonly help = this.helpDialog();
  private runPanel: RunPanel | undefined;
  private inspector: Inspector | undefined;
  private sourcePanel: SourcePanel | undefined;
  private refinementPanel: RefinementPanel | undefined;
  private historyPanel: HistoryPanel | undefined;
  private popover: { element: HTMLElement; owner: HTMLElement } | undefined;
  private current = "";

  constructor(private readonly finding: Finding, root: HTMLElement) {
    const started = performance.now();
    this.run = finding.trace ? new Run(finding.trace, finding.stepsBefore) : undefined;
    const prepared = performance.now() - started;
    this.view = newView(this.run);
    this.makePanels();
    document.title = clean([verdictOf(finding), propertyOf(finding), modelOf(finding)].filter(Boolean).join(" · "));
    root.replaceChildren(this.head(), ...this.leftOut(), this.bar(), h("main", { class: "panels" }, ...this.panels.map((one) => one.element)), this.help, this.toast);
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", (event) => {
      if (this.popover && event.target instanceof Node && !this.popover.element.contains(event.target) && !this.popover.owner.contains(event.target)) this.closePopover();
    });
    window.addEventListener("hashchange", () => this.follow(location.hash));
    window.addEventListener("beforeprint", () => this.print(true));
    window.addEventListener("afterprint", () => this.print(false));
    this.startAt();
    if (!this.follow(location.hash)) this.show(this.current || this.panels[0]!.id, false);
    const placing = performance.now();
    this.runPanel?.layout();
    // For bench/report.sh.
    root.dataset["layoutMs"] = (prepared + performance.now() - placing).toFixed(2);
    this.moved(false);
  }

  // --- Panels.

  private makePanels(): void {
    const { finding, run } = this;
    const choose = (step: number): void => this.choose(step);
    const cause = rootCauseOf(finding.run);
    const add = (id: string, title: string, note: string, element: HTMLElement, paint: () => void = () => {}, focus = element): void => {
      element.classList.add("panel");
      element.id = `panel-${id}`;
      element.setAttribute("role", "tabpanel");
      element.setAttribute("aria-labelledby", `tab-${id}`);
      element.dataset["title"] = title;
      this.panels.push({ id, title, note, element, focus, paint });
    };
    if (run) {
      const panel = new RunPanel(run, this.view, choose, () => this.changed());
      const inspector = new Inspector(run, this.view, { choose, watch: (key) => this.watch(key), changed: () => this.changed() });
      this.runPanel = panel;
      this.inspector = inspector;
      panel.element.append(legend(run));
      add("run", "Run", counted(run.trace.steps.length, "step"), h("div", {}, h("div", { class: "split-run" }, panel.element, inspector.element)), () => panel.paint(), panel.list);
    }
    const history = historyOf(finding, run);
    if (history) {
      const panel = new HistoryPanel(history, (step) => {
        this.show("run");
        this.choose(step);
      }, () => this.link());
      this.historyPanel = panel;
      add("history", "History", counted(history.operations.length, "operation"), panel.element, () => panel.paint());
    }
    if (run && run.objects.size > 0) {
      const panel = new RefinementPanel(finding, run, () => this.view.cursor, choose);
      this.refinementPanel = panel;
      add("refinement", "Refinement", "", panel.element, () => panel.paint());
    }
    if (cause || hasPlaces(run)) {
      const panel = new SourcePanel(finding, run, () => this.view.cursor, choose);
      this.sourcePanel = panel;
      add("source", "Source", "", panel.element, () => panel.paint());
    }
    if (hasTransactions(finding.run)) add("transactions", "Transactions", "", transactionsPanel(finding.run));
    add("statistics", "Statistics", "", statisticsPanel(finding));
    this.panels.forEach((one, i) => {
      this.tabs.append(h("button", { type: "button", role: "tab", id: `tab-${one.id}`, "aria-controls": `panel-${one.id}`, "aria-keyshortcuts": String(i + 1), click: () => this.show(one.id) },
        one.title, one.note !== "" && h("small", {}, one.note)));
    });
  }

  /** The panel and the step that say most. */
  private startAt(): void {
    const has = (id: string): boolean => this.panels.some((one) => one.id === id);
    if (rootCauseOf(this.finding.run) || (hasPlaces(this.run) && has("source"))) this.current = "source";
    else this.current = has("run") ? "run" : has("history") ? "history" : has("transactions") ? "transactions" : "statistics";
  }

  show(id: string, focus = true): void {
    const panel = this.panels.find((one) => one.id === id);
    if (!panel) return;
    this.current = id;
    for (const one of this.panels) one.element.hidden = one !== panel;
    for (const tab of this.tabs.children) {
      const chosen = tab.id === `tab-${id}`;
      tab.setAttribute("aria-selected", String(chosen));
      (tab as HTMLElement).tabIndex = chosen ? 0 : -1;
    }
    this.controls.hidden = id !== "run";
    if (id === "run") this.runPanel?.layout();
    panel.paint();
    if (id === "run") this.runPanel?.reveal();
    if (focus) panel.focus.focus({ preventScroll: true });
    this.link();
  }

  // --- The cursor.

  choose(step: number): void {
    if (!this.run || this.run.last < 0) return;
    this.view.cursor = Math.max(0, Math.min(step, this.run.last));
    this.moved();
  }

  private moved(link = true): void {
    this.inspector?.paint();
    if (this.current === "run") this.runPanel?.reveal();
    if (this.current === "source") this.sourcePanel?.paint(link);
    if (this.current === "refinement") this.refinementPanel?.paint();
    if (link) this.link();
  }

  /** After a change of what is shown. */
  private changed(): void {
    this.runPanel?.layout();
    this.runPanel?.reveal();
    this.inspector?.paint();
    this.paintControls();
  }

  private watch(key: string): void {
    const { watch } = this.view;
    const at = watch.indexOf(key);
    if (at >= 0) watch.splice(at, 1);
    else watch.push(key);
    this.inspector?.paint();
    this.inspector?.element.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  }

  // --- Links: #run/7, #history/op-21, #source/3.

  private link(): void {
    let place = this.current;
    if (this.current === "history" && this.historyPanel) place += `/op-${this.historyPanel.chosen + 1}`;
    else if (this.run && this.view.cursor >= 0 && ["run", "source", "refinement"].includes(this.current)) place += `/${this.run.number(this.view.cursor)}`;
    try {
      history.replaceState(null, "", `#${place}`);
    } catch {
      // A page in a frame without an address has no links.
    }
  }

  private follow(fragment: string): boolean {
    const found = /^#([a-z]+)(?:\/(op-)?(\d{1,9}))?$/.exec(fragment);
    if (!found || !this.panels.some((one) => one.id === found[1])) return false;
    const place = Number(found[3] ?? NaN);
    if (found[2] && this.historyPanel && place >= 1) this.historyPanel.select(place - 1);
    else if (this.run && place >= 1) this.view.cursor = Math.max(0, Math.min(place - 1 - this.finding.stepsBefore, this.run.last));
    this.show(found[1]!, false);
    this.moved(false);
    return true;
  }

  // --- Head and bar.

  private head(): HTMLElement {
    const { finding } = this;
    const theme = h("button", { type: "button", "aria-label": "Light or dark", title: "light or dark (t)", click: () => this.theme() }, "◐");
    const help = h("button", { type: "button", "aria-label": "Keys", title: "keys (?)", click: () => this.help.showModal() }, "?");
    const tools = h("div", { class: "tools" }, this.run && this.search, this.run && this.found, theme, help);
    let wait = 0;
    this.search.addEventListener("input", () => {
      window.clearTimeout(wait);
      wait = window.setTimeout(() => this.searchFor(this.search.value), 120);
    });
    this.search.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      window.clearTimeout(wait);
      if (this.view.search !== this.search.value) this.searchFor(this.search.value);
      this.nextMatch(event.shiftKey ? -1 : 1);
    });
    const never = neverHappened(finding);
    const covered = h("p", { class: "covered" }, coverage(finding));
    if (never.length > 0) covered.append(" ", h("b", {}, "Never happened: "), h("span", {}, `${never.slice(0, 3).join(", ")}${never.length > 3 ? ` and ${never.length - 3} more` : ""}.`));
    covered.title = covered.textContent;
    const side = h("div", { class: "side" });
    if (finding.command !== "") {
      side.append(h("div", { class: "command" }, h("code", { title: finding.command }, finding.command),
        h("button", { type: "button", class: "plain", "aria-label": "Copy the command", click: () => this.copy(finding.command, "The command") }, "Copy")));
    }
    side.append(covered);
    return h("header", { class: "head" },
      h("div", { class: "title" }, badge(verdictOf(finding)), h("h1", { title: propertyOf(finding) || modelOf(finding) }, propertyOf(finding) || modelOf(finding)), h("span", { class: "model", title: settingsOf(finding) }, [propertyOf(finding) !== "" ? modelOf(finding) : "", settingsOf(finding)].filter(Boolean).join(" · "))),
      tools, explanation(finding, this.run, (step) => {
        this.show("run", false);
        this.choose(step);
      }), side);
  }

  private leftOut(): HTMLElement[] {
    if (this.finding.leftOut.length === 0) return [];
    return [h("p", { class: "leftout" }, h("b", {}, "Left out: "), this.finding.leftOut.join(" "))];
  }

  private bar(): HTMLElement {
    this.paintControls();
    this.tabs.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (by === 0) return;
      event.stopPropagation();
      const at = this.panels.findIndex((one) => one.id === this.current);
      const next = this.panels[(at + by + this.panels.length) % this.panels.length]!;
      this.show(next.id, false);
      document.getElementById(`tab-${next.id}`)?.focus();
    });
    return h("div", { class: "bar" }, this.tabs, this.controls);
  }

  private paintControls(): void {
    const { run, view } = this;
    if (!run) return;
    const toggle = (text: string, key: string, on: boolean, act: () => void, disabled = false): HTMLElement =>
      h("button", { type: "button", class: "toggle", "aria-pressed": String(on), disabled, click: act }, text, h("kbd", {}, key));
    const filtered = view.hiddenLanes.size + (view.type !== "" ? 1 : 0) + (view.field !== "" ? 1 : 0);
    const filter = h("button", { type: "button", class: "toggle", "aria-pressed": String(filtered > 0), "aria-haspopup": "true", click: () => this.openFilter(filter) }, filtered > 0 ? `Filter: ${filtered}` : "Filter");
    const copy = h("button", { type: "button", "aria-haspopup": "true", click: () => this.openCopy(copy) }, "Copy");
    this.controls.replaceChildren(
      toggle(run.unrelatedCount > 0 ? `Fold ${grouped(run.unrelatedCount)} unrelated` : "Fold (all matter)", "f", view.fold, () => this.fold(), run.unrelatedCount === 0),
      toggle("Causal past", "c", view.past, () => this.past()), filter, copy);
  }

  private fold(): void {
    this.view.fold = !this.view.fold;
    this.view.unfolded.clear();
    this.changed();
  }
  private past(): void {
    this.view.past = !this.view.past;
    this.changed();
  }

  // --- Search.

  private searchFor(words: string): void {
    if (!this.run) return;
    this.view.search = words;
    this.view.matches = findMatches(this.run, words);
    this.found.textContent = words.trim() === "" ? "" : counted(this.view.matches.length, "match").replace("matchs", "matches");
    this.runPanel?.paint();
  }

  private nextMatch(by: 1 | -1): void {
    const { matches, cursor } = this.view;
    if (matches.length === 0) return;
    const next = by > 0 ? matches.find((step) => step > cursor) ?? matches[0]! : [...matches].reverse().find((step) => step < cursor) ?? matches[matches.length - 1]!;
    if (this.current !== "run") this.show("run", false);
    this.choose(next);
  }

  // --- Filter and copies.

  private openPopover(owner: HTMLElement, element: HTMLElement): void {
    const again = this.popover?.owner === owner;
    this.closePopover();
    if (again) return;
    this.popover = { element, owner };
    this.controls.append(element);
    element.querySelector<HTMLElement>("button, input, select")?.focus();
  }
  private closePopover(): void {
    this.popover?.element.remove();
    this.popover = undefined;
  }

  private openFilter(owner: HTMLElement): void {
    const run = this.run!, { view } = this;
    const box = h("div", { class: "popover filter", role: "group", "aria-label": "Filter" });
    const again = (): void => {
      this.changed();
      this.controls.append(box);
    };
    const lanes = h("div", { class: "lanes" });
    for (const lane of run.lanes.slice(0, 500)) {
      const check = h("input", { type: "checkbox", checked: !view.hiddenLanes.has(lane), change: () => {
        if (check.checked) view.hiddenLanes.delete(lane);
        else view.hiddenLanes.add(lane);
        again();
      } });
      lanes.append(h("label", {}, check, run.laneName(lane)));
    }
    const types = new Set<string>(), fields = new Map<string, string>();
    for (const step of run.trace.steps) {
      for (const message of [...step.received, ...step.sent]) if (types.size < 500) types.add(message.type);
      for (const diff of step.diffs) if (fields.size < 1_000) fields.set(`${diff.lane} ${diff.name}`, `${run.laneName(diff.lane)} ${diff.name}`);
    }
    const chooser = (label: string, all: [string, string][], value: string, set: (value: string) => void): HTMLElement => {
      const select = h("select", { change: () => {
        set(select.value);
        again();
      } }, h("option", { value: "" }, "any"), ...all.map(([key, name]) => h("option", { value: key, selected: key === value }, name)));
      return h("label", {}, label, select);
    };
    box.append(h("b", {}, "Processes"), lanes, chooser("Message type", [...types].sort().map((one) => [one, one]), view.type, (value) => (view.type = value)),
      chooser("Changes field", [...fields], view.field, (value) => (view.field = value)),
      h("button", { type: "button", click: () => {
        view.hiddenLanes.clear();
        view.type = view.field = "";
        this.changed();
        this.closePopover();
      } }, "Show everything"));
    this.openPopover(owner, box);
  }

  private openCopy(owner: HTMLElement): void {
    const run = this.run!;
    const item = (name: string, act: () => void): HTMLElement => h("button", { type: "button", role: "menuitem", click: () => {
      this.closePopover();
      act();
    } }, name);
    this.openPopover(owner, h("div", { class: "popover menu", role: "menu" },
      item("Link to this step", () => this.copy(location.href, "The link")),
      item("Text", () => this.copy(asText(run, this.heading()), "The run as text")),
      item("SVG picture", () => this.copy(this.svg(), "The picture")),
      item("Mermaid diagram", () => this.copy(asMermaid(run), "The Mermaid diagram")),
      item("Log for ShiViz", () => this.copy(asShiViz(run), "The log for ShiViz")),
      item("Save SVG", () => this.save("heddle-run.svg", "image/svg+xml", this.svg())),
      item("Save log for ShiViz", () => this.save("heddle-run-shiviz.log", "text/plain", asShiViz(run)))));
  }

  private svg(): string {
    const panel = this.runPanel!;
    return asSvg(this.run!, panel.wholeDrawing(), panel.laneLayout);
  }

  private heading(): string[] {
    const { finding } = this;
    return [`${verdictOf(finding)}: ${[propertyOf(finding), modelOf(finding)].filter(Boolean).join(" · ")}`, finding.command].filter((one) => one !== "");
  }

  private copy(text: string, what: string): void {
    const done = (): void => this.say(`${what} ${what.startsWith("The") ? "is" : "are"} copied.`);
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

  private save(name: string, type: string, text: string): void {
    const url = URL.createObjectURL(new Blob([text], { type }));
    const link = h("a", { href: url, download: name });
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(url), 1_000);
    this.say(`${name} is saved.`);
  }

  private say(text: string): void {
    this.toast.textContent = text;
    window.setTimeout(() => {
      if (this.toast.textContent === text) this.toast.textContent = "";
    }, 2_500);
  }

  // --- Keys.

  private helpDialog(): HTMLDialogElement {
    const dialog: HTMLDialogElement = h("dialog", { "aria-label": "Keys" }, h("h2", {}, "Keys"), h("dl", {}, ...keysHelp.flatMap(([keys, what]) => [h("dt", {}, keys), h("dd", {}, what)])),
      h("p", { class: "muted" }, "A click on a row moves the cursor, on a lane's name hides the lane, on a value leads to the step that set it, on a field watches it."),
      h("button", { type: "button", click: () => dialog.close() }, "Close"));
    return dialog;
  }

  private theme(): void {
    const root = document.documentElement;
    const dark = root.dataset["theme"] ? root.dataset["theme"] === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset["theme"] = dark ? "light" : "dark";
    this.runPanel?.paint();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || this.help.open) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.key === "Escape") {
      this.closePopover();
      if (target === this.search) this.panels.find((one) => one.id === this.current)?.focus.focus();
      return;
    }
    if (target.closest("input, select, textarea, .popover")) return;
    // A focused button, summary or group that scrolls has keys of its own.
    const own = target.closest("button, summary, a") !== null;
    if (own && [" ", "Enter"].includes(event.key)) return;
    if (this.act(event.key, target)) event.preventDefault();
  }

  private act(key: string, target: Element): boolean {
    const { run, view } = this;
    const number = Number(key);
    if (number >= 1 && number <= this.panels.length) return this.show(this.panels[number - 1]!.id), true;
    switch (key) {
      case "/": return this.search.focus(), true;
      case "?": return this.help.showModal(), true;
      case "t": return this.theme(), true;
      case "n": return this.nextMatch(1), true;
      case "N": return this.nextMatch(-1), true;
      case "ArrowLeft": case "ArrowRight":
        if (this.current !== "history" || !this.historyPanel) return false;
        return this.historyPanel.step(key === "ArrowLeft" ? -1 : 1), true;
    }
    if (!run || run.last < 0 || !["run", "source", "refinement"].includes(this.current)) return false;
    // Long tables scroll by the arrows; j and k step everywhere.
    if (this.current !== "run" && ["Home", "End", "PageUp", "PageDown"].includes(key)) return false;
    const next = (by: 1 | -1): number => this.current === "run" ? this.runPanel!.neighbour(view.cursor, by) : view.cursor + by;
    switch (key) {
      case "ArrowDown": case "j": return this.choose(next(1)), true;
      case "ArrowUp": case "k": return this.choose(next(-1)), true;
      case "Home": return this.choose(0), true;
      case "End": return this.choose(run.last), true;
      case "PageDown": return this.choose(view.cursor + 10), true;
      case "PageUp": return this.choose(view.cursor - 10), true;
      case "[": case "]": return this.choose(this.ofSameProcess(key === "]" ? 1 : -1)), true;
      case "s": return this.choose(run.matching.received[view.cursor]!.find((one) => one.from >= 0)?.from ?? view.cursor), true;
      case "r": return this.choose(run.matching.sent[view.cursor]!.find((one) => one.receipts.length > 0)?.receipts[0] ?? view.cursor), true;
      case "f": return run.unrelatedCount > 0 && this.fold(), true;
      case "c": return this.past(), true;
      case "w": {
        const field = target.closest("[data-key]")?.getAttribute("data-key") ?? run.changes(view.cursor)[0]?.key;
        return field != null && this.watch(field), true;
      }
      case "Enter": return this.unfoldNext(), true;
      default: return false;
    }
  }

  private ofSameProcess(by: 1 | -1): number {
    const run = this.run!;
    const lane = run.step(this.view.cursor).lane;
    for (let i = this.view.cursor + by; i >= 0 && i <= run.last; i += by) if (run.step(i).lane === lane) return i;
    return this.view.cursor;
  }

  /** Unfolds the fold beside the cursor: below it, otherwise above it. */
  private unfoldNext(): void {
    this.runPanel?.unfoldBeside(this.view.cursor);
  }

  // --- Paper.

  private print(on: boolean): void {
    const { run } = this;
    if (run && this.runPanel) {
      if (on && run.trace.steps.length > 400 && run.unrelatedCount > 0) this.view.fold = true;
      this.runPanel.print(on);
      if (on && !this.runPanel.printsAll) this.say("Paper has the first 400 rows of the run.");
    }
    for (const one of this.panels) if (one.id !== "run") one.paint();
  }
}
