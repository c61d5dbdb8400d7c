// The page: head, tabs and panels, keys, search, filter, copies, links. One cursor: changing the panel keeps the step.

import { modelOf, propertyOf, verdictOf } from "./verdict";
import { asSvg } from "./exporting";
import { Copies, copyMenu } from "./copies";
import { filterBox } from "./filterbox";
import { head } from "./head";
import { helpDialog } from "./keyhelp";
import { onSearch, runControls } from "./controls";
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
import { clean, counted } from "./text";
import { findMatches, keepChoices, newView, type View } from "./view";

interface Panel {
  id: string;
  title: string;
  note: string;
  element: HTMLElement;
  focus: HTMLElement;
  paint: () => void;
}

/** How the page is part of a window of the explorer (explorer.ts). */
export interface Live {
  signal: AbortSignal; // ends the page, which another one replaces
  prefix: string; // of the fragment: "path=0:1.0.2;"
  before: App | undefined; // what the reader has chosen there stays
  moved: (step: number) => void; // the cursor
}

export class App {
  private readonly run: Run | undefined;
  private readonly view: View;
  private readonly panels: Panel[] = [];
  private readonly tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Panels" });
  private readonly search = h("input", { type: "search", placeholder: "Search  /", "aria-label": "Search steps" });
  private readonly found = h("span", { class: "muted", role: "status" });
  private readonly copies = new Copies();
  private readonly controls = h("div", { class: "buttons has-popover" });
  private readonly help: HTMLDialogElement;
  private runPanel: RunPanel | undefined;
  private inspector: Inspector | undefined;
  private sourcePanel: SourcePanel | undefined;
  private refinementPanel: RefinementPanel | undefined;
  private historyPanel: HistoryPanel | undefined;
  private popover: { element: HTMLElement; owner: HTMLElement } | undefined;
  private current = "";

  constructor(
    private readonly finding: Finding,
    root: HTMLElement,
    private readonly live?: Live,
  ) {
    const started = performance.now();
    this.help = helpDialog(live !== undefined);
    this.run = finding.trace ? new Run(finding.trace, finding.stepsBefore) : undefined;
    const prepared = performance.now() - started;
    this.view = newView(this.run);
    if (live?.before) keepChoices(live.before.view, this.view);
    this.makePanels();
    document.title = clean([verdictOf(finding), propertyOf(finding), modelOf(finding)].filter(Boolean).join(" · "));
    root.replaceChildren(
      this.makeHead(),
      ...this.leftOut(),
      this.bar(),
      h("main", { class: "panels" }, ...this.panels.map((one) => one.element)),
      this.help,
      this.copies.toast,
    );
    const until = live ? { signal: live.signal } : {};
    document.addEventListener("keydown", (event) => this.key(event), until);
    document.addEventListener(
      "pointerdown",
      (event) => {
        if (
          this.popover &&
          event.target instanceof Node &&
          !this.popover.element.contains(event.target) &&
          !this.popover.owner.contains(event.target)
        )
          this.closePopover();
      },
      until,
    );
    window.addEventListener("hashchange", () => this.follow(location.hash), until);
    window.addEventListener("beforeprint", () => this.print(true), until);
    window.addEventListener("afterprint", () => this.print(false), until);
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
    const add = (
      id: string,
      title: string,
      note: string,
      element: HTMLElement,
      paint: () => void = () => {},
      focus = element,
    ): void => {
      element.classList.add("panel");
      element.id = `panel-${id}`;
      element.setAttribute("role", "tabpanel");
      element.setAttribute("aria-labelledby", `tab-${id}`);
      element.dataset["title"] = title;
      this.panels.push({ id, title, note, element, focus, paint });
    };
    if (run) {
      const panel = new RunPanel(run, this.view, choose, () => this.changed());
      const inspector = new Inspector(run, this.view, {
        choose,
        watch: (key) => this.watch(key),
        changed: () => this.changed(),
      });
      this.runPanel = panel;
      this.inspector = inspector;
      panel.element.append(legend(run));
      add(
        "run",
        "Run",
        counted(run.trace.steps.length, "step"),
        h("div", {}, h("div", { class: "split-run" }, panel.element, inspector.element)),
        () => panel.paint(),
        panel.list,
      );
    }
    const history = historyOf(finding, run);
    if (history) {
      const panel = new HistoryPanel(
        history,
        (step) => {
          this.show("run");
          this.choose(step);
        },
        () => this.link(),
      );
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
      this.tabs.append(
        h(
          "button",
          {
            type: "button",
            role: "tab",
            id: `tab-${one.id}`,
            "aria-controls": `panel-${one.id}`,
            "aria-keyshortcuts": String(i + 1),
            click: () => this.show(one.id),
          },
          one.title,
          one.note !== "" && h("small", {}, one.note),
        ),
      );
    });
  }

  /** The panel and the step that say most. */
  private startAt(): void {
    const has = (id: string): boolean => this.panels.some((one) => one.id === id);
    const before = this.live?.before?.current;
    if (this.live) this.current = before !== undefined && has(before) ? before : "run";
    else if (rootCauseOf(this.finding.run) || (hasPlaces(this.run) && has("source"))) this.current = "source";
    else
      this.current = has("run")
        ? "run"
        : has("history")
          ? "history"
          : has("transactions")
            ? "transactions"
            : "statistics";
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
    this.live?.moved(this.view.cursor);
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
    else if (this.run && this.view.cursor >= 0 && ["run", "source", "refinement"].includes(this.current))
      place += `/${this.run.number(this.view.cursor)}`;
    try {
      history.replaceState(null, "", `#${this.live?.prefix ?? ""}${place}`);
    } catch {
      // A page in a frame without an address has no links.
    }
  }

  private follow(fragment: string): boolean {
    const prefix = `#${this.live?.prefix ?? ""}`;
    if (!fragment.startsWith(prefix)) return false;
    const found = /^([a-z]+)(?:\/(op-)?(\d{1,9}))?$/.exec(fragment.slice(prefix.length));
    if (!found || !this.panels.some((one) => one.id === found[1])) return false;
    const place = Number(found[3] ?? NaN);
    if (found[2] && this.historyPanel && place >= 1) this.historyPanel.select(place - 1);
    else if (this.run && place >= 1)
      this.view.cursor = Math.max(0, Math.min(place - 1 - this.finding.stepsBefore, this.run.last));
    this.show(found[1]!, false);
    this.moved(false);
    return true;
  }

  // --- Head and bar.

  private makeHead(): HTMLElement {
    const theme = h(
      "button",
      { type: "button", "aria-label": "Light or dark", title: "light or dark (t)", click: () => this.theme() },
      "◐",
    );
    const help = h(
      "button",
      { type: "button", "aria-label": "Keys", title: "keys (?)", click: () => this.help.showModal() },
      "?",
    );
    const tools = h("div", { class: "tools" }, this.run && this.search, this.run && this.found, theme, help);
    onSearch(this.search, {
      changed: (words) => this.searchFor(words),
      next: (by) => {
        if (this.view.search !== this.search.value) this.searchFor(this.search.value);
        this.nextMatch(by);
      },
    });
    return head(this.finding, this.run, tools, {
      choose: (step) => {
        this.show("run", false);
        this.choose(step);
      },
      copyCommand: () => this.copies.copy(this.finding.command, "The command"),
    });
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
    if (!this.run) return;
    const buttons = runControls(this.run, this.view, {
      fold: () => this.fold(),
      past: () => this.past(),
      filter: (owner) => this.openFilter(owner),
      copy: (owner) => this.openCopy(owner),
    });
    this.controls.replaceChildren(...buttons);
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
    this.found.textContent =
      words.trim() === "" ? "" : counted(this.view.matches.length, "match").replace("matchs", "matches");
    this.runPanel?.paint();
  }

  private nextMatch(by: 1 | -1): void {
    const { matches, cursor } = this.view;
    if (matches.length === 0) return;
    const next =
      by > 0
        ? (matches.find((step) => step > cursor) ?? matches[0]!)
        : ([...matches].reverse().find((step) => step < cursor) ?? matches[matches.length - 1]!);
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
    const box = filterBox(this.run!, this.view, {
      changed: () => {
        this.changed();
        this.controls.append(box);
      },
      cleared: () => {
        this.changed();
        this.closePopover();
      },
    });
    this.openPopover(owner, box);
  }

  private openCopy(owner: HTMLElement): void {
    const panel = this.runPanel!;
    const svg = (): string => asSvg(this.run!, panel.wholeDrawing(), panel.laneLayout);
    this.openPopover(
      owner,
      copyMenu(this.run!, this.finding, svg, this.copies, () => this.closePopover()),
    );
  }

  // --- Keys.

  private theme(): void {
    const root = document.documentElement;
    const dark = root.dataset["theme"]
      ? root.dataset["theme"] === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
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
    if (number >= 1 && number <= this.panels.length) return (this.show(this.panels[number - 1]!.id), true);
    switch (key) {
      case "/":
        return (this.search.focus(), true);
      case "?":
        return (this.help.showModal(), true);
      case "t":
        return (this.theme(), true);
      case "n":
        return (this.nextMatch(1), true);
      case "N":
        return (this.nextMatch(-1), true);
      case "ArrowLeft":
      case "ArrowRight":
        if (this.current !== "history" || !this.historyPanel) return false;
        return (this.historyPanel.step(key === "ArrowLeft" ? -1 : 1), true);
    }
    if (!run || run.last < 0 || !["run", "source", "refinement"].includes(this.current)) return false;
    // Long tables scroll by the arrows; j and k step everywhere.
    if (this.current !== "run" && ["Home", "End", "PageUp", "PageDown"].includes(key)) return false;
    const next = (by: 1 | -1): number =>
      this.current === "run" ? this.runPanel!.neighbour(view.cursor, by) : view.cursor + by;
    switch (key) {
      case "ArrowDown":
      case "j":
        return (this.choose(next(1)), true);
      case "ArrowUp":
      case "k":
        return (this.choose(next(-1)), true);
      case "Home":
        return (this.choose(0), true);
      case "End":
        return (this.choose(run.last), true);
      case "PageDown":
        return (this.choose(view.cursor + 10), true);
      case "PageUp":
        return (this.choose(view.cursor - 10), true);
      case "[":
      case "]":
        return (this.choose(this.ofSameProcess(key === "]" ? 1 : -1)), true);
      case "s":
        return (
          this.choose(run.matching.received[view.cursor]!.find((one) => one.from >= 0)?.from ?? view.cursor),
          true
        );
      case "r":
        return (
          this.choose(
            run.matching.sent[view.cursor]!.find((one) => one.receipts.length > 0)?.receipts[0] ?? view.cursor,
          ),
          true
        );
      case "f":
        return (run.unrelatedCount > 0 && this.fold(), true);
      case "c":
        return (this.past(), true);
      case "w": {
        const field = target.closest("[data-key]")?.getAttribute("data-key") ?? run.changes(view.cursor)[0]?.key;
        return (field != null && this.watch(field), true);
      }
      case "Enter":
        return (this.unfoldNext(), true);
      default:
        return false;
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
      if (on && !this.runPanel.printsAll) this.copies.say("Paper has the first 400 rows of the run.");
    }
    for (const one of this.panels) if (one.id !== "run") one.paint();
  }
}
