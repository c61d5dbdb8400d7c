// The panel "Run": lane names, the space-time diagram, a row of text for each step, and a map of the whole run. Only
// the rows in sight are elements of the page. The rows are options of a list box, each a full sentence, so that the run
// can be heard as well as seen.

import { bisectRight } from "d3-array";
import { isFault } from "./causality";
import { characterWidth, h, place } from "./dom";
import { draw, type Drawn } from "./diagram";
import { findSpans, type Spans } from "./spans";
import { isOfTheNetwork, placeLanes, placeRails, placeRows, type Lanes, type Rails, type Rows } from "./layout";
import { changeText, type Run } from "./run";
import { clip, counted, listed, shortName } from "./text";
import { messageText, valueText } from "./values";
import { hiddenSteps, type View } from "./view";

const beyond = 200; // pixels above and below what is seen that are drawn, too
const mapWidth = 22;
const mostPrinted = 400; // rows on paper

export class RunPanel {
  readonly element: HTMLElement;
  readonly list: HTMLElement;
  private readonly head: HTMLElement;
  private readonly canvas: HTMLElement;
  private readonly map: HTMLCanvasElement;
  private readonly spans: Spans;
  private lanes!: Lanes;
  private rows!: Rows;
  private rails!: Rails;
  private textLeft = 0;
  private textWidth = 0;
  private frame = 0;
  private printing = false;

  constructor(
    private readonly run: Run,
    private readonly view: View,
    private readonly choose: (step: number) => void,
    private readonly changed: () => void,
  ) {
    this.spans = findSpans(run);
    this.head = h("div", { class: "lanenames" });
    this.canvas = h("div", { class: "canvas" });
    this.list = h(
      "div",
      { class: "steps", tabindex: "0", role: "listbox", "aria-label": "Steps of the run" },
      this.canvas,
    );
    this.map = h("canvas", { class: "map", "aria-hidden": "true" });
    this.element = h("div", { class: "run" }, this.head, h("div", { class: "runbody" }, this.list, this.map));
    this.list.addEventListener("scroll", () => this.schedule());
    this.canvas.addEventListener("click", (event) => this.clicked(event));
    this.map.addEventListener("pointerdown", (event) => this.mapPressed(event));
    this.map.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) this.mapPressed(event);
    });
    new ResizeObserver(() => {
      if (!this.printing) this.layout();
    }).observe(this.list);
  }

  /** Places everything anew: after a change of the filter, of folds or of the size. */
  layout(): void {
    const height = this.list.clientHeight || 600,
      width = this.list.clientWidth || 900;
    this.textWidth = Math.max(Math.min(420, width * 0.36), 140);
    const shown = this.run.lanes.filter((lane) => !this.view.hiddenLanes.has(lane));
    this.lanes = placeLanes(this.run.trace, shown, this.run.objects, width - this.textWidth);
    this.textLeft = this.lanes.width + 12;
    this.textWidth = width - this.textLeft - 12;
    const kept = new Set([this.view.cursor, this.run.last]);
    this.rows = placeRows(
      this.run.trace,
      hiddenSteps(this.run, this.view),
      kept,
      this.view.unfolded,
      this.lanes.density,
      height,
    );
    this.rails = placeRails(this.run.matching, this.lanes, this.rows);
    place(this.canvas, { height: this.rows.top[this.rows.list.length]! + 8 });
    this.names();
    this.paint();
  }

  private schedule(): void {
    if (this.frame || this.printing) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
  }

  /** Draws what is in sight. */
  paint(): void {
    if (!this.rows) return;
    const all = this.printing || this.list.clientHeight === 0;
    const from = all ? 0 : this.list.scrollTop - beyond;
    const to = all ? Infinity : this.list.scrollTop + this.list.clientHeight + beyond;
    let first = Math.max(bisectRight(this.rows.top, from) - 1, 0);
    let last = Math.min(to === Infinity ? Infinity : bisectRight(this.rows.top, to) - 1, this.rows.list.length - 1);
    if (all) last = Math.min(last, first + mostPrinted);
    if (this.rows.list.length === 0) last = -1;
    first = Math.min(first, Math.max(last, 0));
    const top = this.rows.top[first]!,
      bottom = this.rows.top[last + 1]!;
    const drawing = last < 0 ? undefined : draw(this.drawn(), first, last, top, bottom);
    if (drawing) {
      drawing.style.setProperty("top", `${top}px`);
      drawing.setAttribute("class", `drawing ${this.lanes.density}`);
    }
    const rows: HTMLElement[] = [];
    for (let row = first; row <= last; ++row) rows.push(this.row(row));
    // The chosen step is always there, also out of sight: what a screen reader is told to be active must exist.
    const cursorRow = this.view.cursor >= 0 ? this.rows.ofStep[this.view.cursor]! : -1;
    if (cursorRow >= 0 && (cursorRow < first || cursorRow > last)) rows.push(this.row(cursorRow));
    this.canvas.replaceChildren(...(drawing ? [drawing] : []), ...rows);
    if (this.view.cursor >= 0)
      this.list.setAttribute("aria-activedescendant", `step-${this.run.number(this.view.cursor)}`);
    this.paintMap();
  }

  drawn(): Drawn {
    const past = this.view.past && this.view.cursor >= 0 ? this.run.causality.past([this.view.cursor]) : undefined;
    return {
      run: this.run,
      lanes: this.lanes,
      rows: this.rows,
      rails: this.rails,
      spans: this.spans,
      cursor: this.view.cursor,
      past,
    };
  }

  /** The whole drawing, for a copy; of a very long run the part around the cursor. */
  wholeDrawing(): SVGElement {
    const most = 2_000;
    const { list, top, ofStep } = this.rows;
    const first =
      list.length <= most ? 0 : Math.max(0, Math.min(ofStep[this.view.cursor]! - most / 2, list.length - most));
    const last = Math.min(first + most, list.length) - 1;
    return draw(this.drawn(), first, last, top[first]!, top[last + 1]!);
  }
  get laneLayout(): Lanes {
    return this.lanes;
  }

  /** Brings the cursor into sight. */
  reveal(): void {
    if (this.view.cursor < 0 || !this.rows) return;
    const row = this.rows.ofStep[this.view.cursor]!;
    if (this.rows.list[row]!.folded) this.layout(); // the cursor is never folded
    const top = this.rows.top[row]!,
      bottom = this.rows.top[row + 1]!;
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop) this.list.scrollTop = top - 4;
    else if (bottom > scrollTop + clientHeight) this.list.scrollTop = bottom - clientHeight + 4;
    this.paint();
  }

  /** The next step that is not folded. */
  neighbour(step: number, by: 1 | -1): number {
    for (let row = this.rows.ofStep[step]! + by; row >= 0 && row < this.rows.list.length; row += by) {
      if (!this.rows.list[row]!.folded) return this.rows.list[row]!.first;
    }
    return step;
  }

  /** Rows for paper; a run of more steps is folded first. */
  print(on: boolean): void {
    this.printing = on;
    this.layout();
  }
  get printsAll(): boolean {
    return this.rows.list.length <= mostPrinted;
  }

  // --- Rows of text.

  private row(row: number): HTMLElement {
    const { first, count, folded } = this.rows.list[row]!;
    const top = this.rows.top[row]!,
      height = this.rows.top[row + 1]! - top;
    if (folded) return this.fold(first, count, top);
    const { run, view } = this;
    const number = run.number(first);
    const wrong = run.violated && first === run.last,
      chosen = first === view.cursor;
    const pale = view.past && view.cursor >= 0 && this.pastOfCursor()[first] === 0;
    const match = view.matches.length > 0 && view.matches[bisectRight(view.matches, first) - 1] === first;
    const element = h(
      "div",
      {
        class: `row${wrong ? " bad" : ""}${chosen ? " chosen" : ""}${pale ? " pale" : ""}${match ? " match" : ""}`,
        role: "option",
        id: `step-${number}`,
        "aria-selected": String(chosen),
        "aria-label": run.sentence(first),
        "aria-posinset": row + 1,
        "aria-setsize": this.rows.list.length,
        "data-step": first,
      },
      h("span", { class: "number" }, `${wrong ? (number > 999 ? "✗" : "✗ ") : ""}${number}`),
      this.what(first, height),
    );
    return place(element, { top, height });
  }

  private past: { cursor: number; steps: Uint8Array } | undefined;
  private pastOfCursor(): Uint8Array {
    if (this.past?.cursor !== this.view.cursor)
      this.past = { cursor: this.view.cursor, steps: this.run.causality.past([this.view.cursor]) };
    return this.past.steps;
  }

  private fold(first: number, count: number, top: number): HTMLElement {
    const who = new Set<string>();
    for (let i = first; i < first + count && who.size < 6; ++i) who.add(this.run.laneName(this.run.step(i).lane));
    const names = [...who].slice(0, 4);
    const text = `${counted(count, "step")} folded · ${listed(names)}${who.size > names.length ? " and others" : ""}`;
    const element = h(
      "div",
      {
        class: "row folded",
        role: "option",
        id: `fold-${first}`,
        "aria-selected": "false",
        "aria-label": `${text}. Enter unfolds.`,
        "data-fold": first,
      },
      h("span", { class: "number" }, "⋯"),
      h("span", { class: "foldtext" }, text),
    );
    return place(element, { top, height: 24 });
  }

  /** What a step changed, as text beside the drawing; where lanes are narrow also who did what. */
  private what(step: number, height: number): HTMLElement {
    const { run } = this;
    const one = run.step(step);
    const lines = Math.max(1, Math.floor((height - 6) / 18));
    let room = Math.floor(this.textWidth / characterWidth("12.5px ui-monospace, monospace")) * lines;
    const element = h("span", { class: `what${lines > 1 ? " wraps" : ""}` });
    if (lines > 1) element.style.setProperty("-webkit-line-clamp", String(lines));
    const add = (text: string, cls = ""): void => {
      if (room <= 0) return;
      const shown = clip(text, room);
      room -= shown.length;
      element.append(h("span", { class: cls }, shown));
    };
    const fault = run.faultText(step);
    if (fault !== "") {
      const [word, ...rest] = fault.split(" ");
      add(word!, "fault");
      add(` ${rest.join(" ")} `, "muted");
    } else if (this.lanes.density !== "L") {
      add(run.laneName(one.lane), "who");
      add(` ${one.name} `, "muted sans");
    }
    for (const operation of one.operations)
      add(`${operation.kind === "invoke" ? "▷" : "◁"} ${valueText(operation.value, 60)}  `, "operation");
    if (isOfTheNetwork(one.kind)) return place(element, { left: this.textLeft, width: this.textWidth });
    run
      .changes(step)
      .slice(0, 20)
      .forEach((change, i) => {
        if (i > 0) add(" · ", "muted");
        if (change.before === undefined || change.after === undefined) return add(changeText(change), "");
        add(`${change.name} ${clip(change.before, 40)} → `, "muted");
        return add(change.after);
      });
    for (const access of one.accesses.slice(0, 6)) {
      add(` ${access.kind} ${access.object}${access.part}`, "muted");
      if (access.after !== undefined) add(` ← ${valueText(access.after, 40)}`);
      else if (access.before !== undefined) add(` = ${valueText(access.before, 40)}`);
    }
    if (element.childElementCount === 0 && one.sent.length > 0) {
      const { type, body, to } = one.sent[0]!;
      add(
        `sends ${messageText(type, body, 60)} to ${run.laneName(to)}${one.sent.length > 1 ? ` and ${one.sent.length - 1} more` : ""}`,
        "muted",
      );
    }
    return place(element, { left: this.textLeft, width: this.textWidth });
  }

  // --- Lane names.

  private names(): void {
    const { lanes, run } = this;
    const tilted = lanes.density === "S" || lanes.density === "XS";
    this.head.className = `lanenames ${lanes.density}`;
    this.head.replaceChildren(place(h("span", { class: "of-steps" }, "step"), { left: 0, width: 46 }));
    lanes.shown.forEach((lane, i) => {
      if (lanes.density === "XS" && i % 10 !== 9 && i !== 0) return;
      const name = run.laneName(lane);
      const room = tilted ? 14 : Math.floor((lanes.spacing - 8) / characterWidth("600 12.5px system-ui, sans-serif"));
      const role = lanes.objects.has(lane) ? "object" : this.isByzantine(lane) ? "Byzantine" : "";
      const element = h(
        "button",
        {
          class: `lanename${role ? ` ${role.toLowerCase()}` : ""}`,
          type: "button",
          title: `${name}${role ? ` (${role})` : ""}: hide this lane`,
          "aria-label": `Hide lane ${name}`,
          click: () => this.hide(lane),
        },
        h("span", {}, shortName(name, Math.max(room, 3))),
        !tilted && role !== "" && h("small", {}, role),
      );
      this.head.append(place(element, { left: lanes.x[lane]! - lanes.spacing / 2, width: lanes.spacing }));
    });
    const text = lanes.density === "L" ? "what changed" : "who did what, and what changed";
    this.head.append(
      place(h("span", { class: "of-text" }, text), {
        left: this.textLeft + (tilted ? 36 : 0),
        width: Math.max(this.textWidth - 36, 0),
      }),
    );
  }

  private byzantine: Set<number> | undefined;
  private isByzantine(lane: number): boolean {
    this.byzantine ??= new Set(
      this.run.trace.steps.filter((step) => step.kind === "byzantine").map((step) => step.lane),
    );
    return this.byzantine.has(lane);
  }

  private hide(lane: number): void {
    if (this.lanes.shown.length < 2) return;
    this.view.hiddenLanes.add(lane);
    this.changed();
  }

  private clicked(event: MouseEvent): void {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-step], [data-fold]") : null;
    // The drawing lies under the rows; a row is as wide as the panel, so every click meets one.
    if (row?.dataset["fold"] !== undefined) this.unfold(Number(row.dataset["fold"]));
    else if (row?.dataset["step"] !== undefined) this.choose(Number(row.dataset["step"]));
  }

  unfold(first: number): void {
    this.view.unfolded.add(first);
    this.layout();
  }

  /** Opens the fold next to a step: below it, otherwise above it. */
  unfoldBeside(step: number): void {
    const row = this.rows.ofStep[step]!;
    for (const beside of [this.rows.list[row + 1], this.rows.list[row - 1]]) {
      if (beside?.folded) return this.unfold(beside.first);
    }
  }

  // --- The map of the whole run.

  private mapPressed(event: PointerEvent): void {
    const { height } = this.map.getBoundingClientRect();
    const whole = this.rows.top[this.rows.list.length]!;
    this.list.scrollTop = (event.offsetY / height) * whole - this.list.clientHeight / 2;
  }

  private paintMap(): void {
    const whole = this.rows.top[this.rows.list.length]!;
    const height = this.list.clientHeight;
    const needed = whole > height + 1 && !this.printing;
    this.map.hidden = !needed;
    if (!needed) return;
    const ratio = window.devicePixelRatio || 1;
    this.map.width = mapWidth * ratio;
    this.map.height = height * ratio;
    place(this.map as unknown as HTMLElement, { height });
    const paint = this.map.getContext("2d");
    if (!paint) return;
    const style = getComputedStyle(this.element);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    paint.scale(ratio, ratio);
    const y = (step: number): number => (this.rows.top[this.rows.ofStep[step]!]! / whole) * height;
    const { steps } = this.run.trace;
    const few = steps.length <= 600;
    const lanes = Math.max(this.lanes.shown.length, 1);
    steps.forEach((step, i) => {
      const fault = isFault(step.kind);
      if (!few && !fault) return;
      const across = isOfTheNetwork(step.kind);
      paint.fillStyle = colour(fault ? "--fault" : "--faint");
      const x = across ? 2 : 2 + (Math.max(this.lanes.column[step.lane]!, 0) / lanes) * (mapWidth - 5);
      paint.fillRect(x, y(i), across && step.kind !== "lose" && step.kind !== "duplicate" ? mapWidth - 4 : 3, 1.5);
    });
    paint.fillStyle = colour("--fault");
    for (const step of this.view.matches.slice(0, 5_000)) paint.fillRect(mapWidth - 4, y(step), 4, 2);
    if (this.run.violated) {
      paint.fillStyle = colour("--bad");
      paint.fillRect(0, Math.min(y(this.run.last), height - 3), mapWidth, 3);
    }
    paint.fillStyle = colour("--accent");
    if (this.view.cursor >= 0) paint.fillRect(0, Math.min(y(this.view.cursor), height - 2), mapWidth, 2);
    paint.strokeStyle = colour("--accent");
    paint.strokeRect(
      0.5,
      (this.list.scrollTop / whole) * height + 0.5,
      mapWidth - 1,
      Math.max((height / whole) * height - 1, 4),
    );
  }
}
