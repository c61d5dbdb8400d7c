// The panel "Source": the lines of the program with the current line of each thread, and the interleaving as columns, a
// thread each. For a root cause: the blocks that must be atomic, the cycle of conflicts, and the repairs.

import { h } from "./dom";
import type { Finding, Source, Step } from "./finding";
import type { Run } from "./run";
import { clip, counted, grouped } from "./text";
import { valueText, type Json, type JsonObject } from "./values";
import { objectOf, text } from "./verdict";

interface Block {
  file: string;
  function: string;
  first: number;
  last: number;
}

// An access on the cycle or, with recorded histories, the beginning or the end of a call: these have no line.
interface CycleEvent {
  thread: number;
  event: string; // read, write, call, return
  call: string;
  file: string;
  line: number; // 0: none
}

interface CyclePlace extends CycleEvent {
  conflicts: number[];
}

export interface RootCause {
  repairs: { rank: number; blocks: Block[]; excludedGood: number; standing: string; why: string }[];
  accesses: CyclePlace[];
  conflicts: { from: CycleEvent; to: CycleEvent }[];
  good: string;
  bad: string;
  clients: number;
}

const list = (json: Json | undefined): JsonObject[] => (Array.isArray(json) ? json.map(objectOf) : []);
const number = (json: Json | undefined): number => (typeof json === "number" ? json : 0);

const cycleEvent = (one: JsonObject): CycleEvent => ({
  thread: number(one["thread"]),
  event: text(one["event"]),
  call: text(one["call"]),
  file: text(one["file"]),
  line: number(one["line"]),
});

// "writes", "returns from pop()".
function verb(one: CycleEvent): string {
  if (one.event === "call") return `calls ${one.call}`;
  if (one.event === "return") return `returns from ${one.call}`;
  return one.event === "write" ? "writes" : "reads";
}

// "thread 1 writes at line 12 what thread 2 reads later, at line 30", with files where there are several.
function conflictSentence({ from, to }: { from: CycleEvent; to: CycleEvent }, files: boolean): string {
  const place = (one: CycleEvent): string =>
    files ? `${one.file.slice(one.file.lastIndexOf("/") + 1)}:${one.line}` : `line ${one.line}`;
  return from.line > 0 && to.line > 0
    ? `thread ${from.thread} ${verb(from)} at ${place(from)} what thread ${to.thread} ${verb(to)} later, at ${place(to)}`
    : `thread ${from.thread} ${verb(from)} before thread ${to.thread} ${verb(to)}`;
}

export function rootCauseOf(run: JsonObject | undefined): RootCause | undefined {
  if (!run || !Array.isArray(run["repairs"]) || run["repairs"].length === 0) return undefined;
  return {
    repairs: list(run["repairs"]).map((one) => ({
      rank: number(one["rank"]),
      excludedGood: number(one["excluded_good"]),
      standing: text(one["standing"]),
      why: text(one["why"]),
      blocks: list(one["blocks"]).map((block) => ({
        file: text(block["file"]),
        function: text(block["function"]),
        first: number(block["first_line"]),
        last: number(block["last_line"]),
      })),
    })),
    accesses: list(run["cycle_accesses"]).map((one) => ({
      ...cycleEvent(one),
      conflicts: Array.isArray(one["conflicts"]) ? one["conflicts"].map(number) : [],
    })),
    conflicts: list(run["cycle"]).map((one) => ({
      from: cycleEvent(objectOf(one["from"])),
      to: cycleEvent(objectOf(one["to"])),
    })),
    good: text(run["good_executions"]),
    bad: text(run["bad_executions"]),
    clients: number(run["verified_clients"]),
  };
}

export function hasPlaces(run: Run | undefined): run is Run {
  return run !== undefined && run.trace.steps.some((step) => step.place !== undefined);
}

const rowsAround = 120; // steps before and after the cursor that are shown as rows; more are a click away
const letters = "abcdefghijklmnopqrstuvwxyz";

export class SourcePanel {
  readonly element = h("div", { class: "panel page", tabindex: "0" });
  private readonly cause: RootCause | undefined;
  private repair = 0;

  constructor(
    private readonly finding: Finding,
    private readonly run: Run | undefined,
    private readonly cursor: () => number,
    private readonly choose: (step: number) => void,
  ) {
    this.cause = rootCauseOf(finding.run);
    this.paint();
  }

  /** `follow`: the row of the cursor comes into sight. */
  paint(follow = false): void {
    const { scrollTop } = this.element;
    const left = h("section", { class: "sources" }, ...this.sources());
    const right = h("section", {});
    if (this.cause && this.cause.accesses.length > 0) right.append(...this.cycle(this.cause));
    if (hasPlaces(this.run)) right.append(...this.interleaving(this.run));
    const bottom = this.cause ? this.repairs(this.cause) : [];
    this.element.replaceChildren(h("div", { class: "columns" }, left, right), ...bottom);
    const current =
      this.element.querySelector<HTMLElement>(".source .current") ??
      this.element.querySelector<HTMLElement>(".source .threadmark") ??
      this.element.querySelector<HTMLElement>(".source .marked");
    const box = current?.closest<HTMLElement>(".source");
    if (current && box) box.scrollTop = current.offsetTop - box.offsetTop - box.clientHeight / 2;
    const row = this.element.querySelector<HTMLElement>(".interleaving tr.chosen");
    this.element.scrollTop = scrollTop;
    if (follow) row?.scrollIntoView({ block: "nearest" });
  }

  // --- Source.

  private sources(): HTMLElement[] {
    const { sources } = this.finding;
    if (sources.length === 0)
      return [
        h("h2", {}, "Source"),
        h("p", { class: "empty" }, "The page holds no source: its files were not there when it was written."),
      ];
    const at = this.threadLines();
    const now = this.run && this.cursor() >= 0 ? this.run.step(this.cursor()).place?.file : undefined;
    const blocks = this.cause?.repairs[this.repair]?.blocks ?? [];
    const wanted = new Set([now, ...blocks.map((one) => one.file)].filter((one): one is string => one !== undefined));
    const order = [...sources].sort((a, b) => Number(wanted.has(b.file)) - Number(wanted.has(a.file)));
    const first = Math.max(wanted.size, 1);
    return order.flatMap((source, i) =>
      i < first
        ? [
            h("h2", {}, source.file, blocks.length > 0 && h("span", { class: "muted" }, " marked: must be atomic")),
            this.lines(source, at, blocks),
          ]
        : [h("details", {}, h("summary", {}, source.file), this.lines(source, at, blocks))],
    );
  }

  /** For each "file line" the threads that stand there after the step under the cursor. */
  private threadLines(): Map<string, number[]> {
    const out = new Map<string, number[]>();
    const { run } = this;
    if (!run) return out;
    const places = new Map<number, Step["place"]>();
    for (let i = 0; i <= this.cursor(); ++i) {
      const step = run.step(i);
      // A step begins at its place and goes on to its last access.
      const last = [...step.accesses].reverse().find((one) => one.place !== undefined)?.place ?? step.place;
      if (last) places.set(step.lane, last);
    }
    for (const [lane, where] of places) {
      const key = `${where!.line} ${where!.file}`;
      out.set(key, [...(out.get(key) ?? []), lane]);
    }
    return out;
  }

  private lines(source: Source, at: Map<string, number[]>, blocks: readonly Block[]): HTMLElement {
    const active = this.run && this.cursor() >= 0 ? this.run.step(this.cursor()).lane : -1;
    return h(
      "div",
      { class: "source", tabindex: "0", role: "group", "aria-label": `Lines of ${source.file}` },
      ...source.lines.map((line, i) => {
        const no = source.first + i;
        const marked = blocks.some((one) => one.file === source.file && no >= one.first && no <= one.last);
        const threads = at.get(`${no} ${source.file}`) ?? [];
        return h(
          "div",
          { class: `line${marked ? " marked" : ""}${threads.includes(active) ? " current" : ""}` },
          h("span", { class: "no" }, String(no)),
          h(
            "span",
            {},
            ...threads.map((lane) =>
              h(
                "span",
                { class: `threadmark${lane === active ? " first" : ""}`, title: this.run!.laneName(lane) },
                shortThread(this.run!.laneName(lane)),
              ),
            ),
          ),
          h("span", {}, line || " "),
        );
      }),
    );
  }

  // --- The interleaving.

  private interleaving(run: Run): HTMLElement[] {
    const cursor = this.cursor();
    const lanes = run.lanes;
    const first = Math.max(0, cursor - rowsAround),
      last = Math.min(run.last, cursor + rowsAround);
    const rows: HTMLElement[] = [];
    for (let i = first; i <= last; ++i) {
      const step = run.step(i);
      rows.push(
        h(
          "tr",
          { class: i === cursor ? "chosen" : "" },
          h("td", { class: "number" }, String(run.number(i))),
          ...lanes.map((lane) => h("td", {}, lane === step.lane && this.stepBox(run, i))),
        ),
      );
    }
    const outside = run.trace.steps.length - rows.length;
    return [
      h(
        "h2",
        {},
        "The interleaving",
        h("span", { class: "muted" }, ` step ${grouped(run.number(cursor))} of ${grouped(run.number(run.last))}`),
      ),
      h(
        "div",
        { class: "scrolls" },
        h(
          "table",
          { class: "interleaving" },
          h(
            "thead",
            {},
            h("tr", {}, h("th", {}), ...lanes.map((lane) => h("th", { scope: "col" }, run.laneName(lane)))),
          ),
          h("tbody", {}, ...rows),
        ),
      ),
      ...(outside > 0
        ? [h("p", { class: "muted" }, `${counted(outside, "step")} before and after are not shown here.`)]
        : []),
    ];
  }

  private stepBox(run: Run, i: number): HTMLElement {
    const step = run.step(i);
    const wrong = run.violated && i === run.last;
    const box = h(
      "button",
      { type: "button", class: `cellbox${this.inside(step) ? " inside" : ""}`, click: () => this.choose(i) },
      h("span", { class: "muted" }, step.place && step.place.line > 0 ? String(step.place.line) : step.name),
    );
    for (const access of step.accesses.slice(0, 8)) {
      const writes = /write|free/.test(access.kind),
        reads = /read/.test(access.kind);
      const value =
        writes && access.after !== undefined
          ? ` ← ${valueText(access.after, 30)}`
          : access.before !== undefined
            ? ` = ${valueText(access.before, 30)}`
            : "";
      box.append(
        h(
          "span",
          { class: "accessline" },
          h(
            "span",
            { class: `access${writes ? " writes" : ""}`, title: access.kind },
            writes ? "W" : reads ? "R" : access.kind,
          ),
          `${clip(access.object, 40)}${clip(access.part, 20)}${value}`,
          // A step may go on over several lines.
          access.place !== undefined &&
            access.place.line !== step.place?.line &&
            h("span", { class: "muted" }, ` line ${access.place.line}`),
        ),
      );
    }
    if (step.accesses.length > 8)
      box.append(
        h(
          "span",
          { class: "muted accessline" },
          `and ${counted(step.accesses.length - 8, "more access").replace("accesss", "accesses")}`,
        ),
      );
    for (const one of step.operations)
      box.append(
        h("b", {}, one.kind === "invoke" ? ` ▷ ${valueText(one.value, 30)}` : ` ◁ ${valueText(one.value, 30)}`),
      );
    if (wrong) box.append(h("b", { class: "wrongtext" }, " ✗"));
    return box;
  }

  private inside(step: Step): boolean {
    const blocks = this.cause?.repairs[this.repair]?.blocks ?? [];
    return blocks.some(
      (one) =>
        step.place !== undefined &&
        step.place.file === one.file &&
        step.place.line >= one.first &&
        step.place.line <= one.last,
    );
  }

  // --- Root cause.

  private cycle(cause: RootCause): HTMLElement[] {
    const threads = [...new Set(cause.accesses.map((one) => one.thread))].sort((a, b) => a - b);
    const files = new Set(cause.accesses.filter((one) => one.line > 0).map((one) => one.file)).size > 1;
    const rows = cause.accesses.map((one) =>
      h(
        "tr",
        {},
        h("td", { class: "number" }, ""),
        ...threads.map((thread) =>
          h(
            "td",
            {},
            thread === one.thread &&
              h(
                "span",
                { class: "cellbox inside" },
                one.line > 0 && h("span", { class: "muted" }, `${one.line} `),
                one.line > 0 ? this.lineText(one) : verb(one),
                ...one.conflicts.map((conflict) => h("span", { class: "cyclenumber" }, `(${letters[conflict % 26]})`)),
              ),
          ),
        ),
      ),
    );
    const sentences = cause.conflicts.map((one, i) =>
      h(
        "li",
        {},
        h("span", { class: "cyclenumber" }, `(${letters[i % 26]}) `),
        conflictSentence(one, files),
      ),
    );
    return [
      h("h2", {}, "The cycle of conflicts"),
      h(
        "div",
        { class: "scrolls" },
        h(
          "table",
          { class: "interleaving" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              h("th", {}),
              ...threads.map((thread) =>
                h(
                  "th",
                  { scope: "col" },
                  `thread ${thread} · ${cause.accesses.find((one) => one.thread === thread)!.call}`,
                ),
              ),
            ),
          ),
          h("tbody", {}, ...rows),
        ),
      ),
      h(
        "div",
        { class: "box" },
        h("p", {}, "These accesses go round in a circle: no order of whole blocks explains them."),
        h("ul", {}, ...sentences),
      ),
    ];
  }

  private lineText(access: CycleEvent): string {
    const source = this.finding.sources.find((one) => one.file === access.file);
    return clip((source?.lines[access.line - source.first] ?? "").replace(/\/\/.*/, "").trim(), 60);
  }

  private repairs(cause: RootCause): HTMLElement[] {
    const where = (blocks: readonly Block[]): string =>
      blocks
        .map(
          (one) =>
            `${one.function}, ${one.first === one.last ? `line ${one.first}` : `lines ${one.first} to ${one.last}`}`,
        )
        .join("; ");
    const checked = (one: RootCause["repairs"][number]): string =>
      one.standing === "verified"
        ? `✓ verified on ${counted(cause.clients, "client")}`
        : one.standing === "rejected"
          ? `✗ rejected: ${one.why}`
          : "not tried";
    return [
      h("h2", {}, "Repairs", h("span", { class: "muted" }, " choose one to see its blocks")),
      h(
        "div",
        { class: "scrolls" },
        h(
          "table",
          {},
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              h("th", { scope: "col", class: "figure" }, "rank"),
              h("th", { scope: "col" }, "make atomic"),
              h("th", { scope: "col", class: "figure" }, "bad executions ruled out"),
              h("th", { scope: "col", class: "figure" }, "good ones ruled out"),
              h("th", { scope: "col" }, "re-checked"),
            ),
          ),
          h(
            "tbody",
            {},
            ...cause.repairs.slice(0, 200).map((one, i) =>
              h(
                "tr",
                { class: i === this.repair ? "chosen" : "" },
                h("td", { class: "figure" }, String(one.rank)),
                h(
                  "td",
                  {},
                  h(
                    "button",
                    {
                      type: "button",
                      class: "link",
                      "aria-pressed": String(i === this.repair),
                      click: () => {
                        this.repair = i;
                        this.paint();
                      },
                    },
                    where(one.blocks),
                  ),
                ),
                h("td", { class: "figure" }, `all ${cause.bad}`),
                h("td", { class: "figure" }, cause.good === "" ? "not known" : `${one.excludedGood} of ${cause.good}`),
                h("td", {}, checked(one)),
              ),
            ),
          ),
        ),
      ),
    ];
  }
}

function shortThread(name: string): string {
  const found = /^thread (\d+)$/.exec(name);
  return found ? `T${found[1]}` : clip(name, 6);
}
