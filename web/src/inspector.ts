// The step under the cursor: what came in and went out, what it changed, the watched fields, and the state after it.
// Every value leads to the step that set it.

import { atTheBeginning, type Field } from "./fields";
import { h, s } from "./dom";
import { beforeTheRun } from "./matching";
import type { Run } from "./run";
import { clip, counted, grouped, longestText } from "./text";
import { changes, isObject, messageText, sameValue, valueText, type Json } from "./values";
import type { View } from "./view";

export interface Actions {
  choose(step: number): void;
  watch(key: string): void;
  changed(): void;
}

const mostMessages = 40;
const mostFields = 60; // of one lane
const foldLanesFrom = 10; // lanes that the step does not touch are closed

export class Inspector {
  readonly element = h("aside", { class: "inspector", "aria-label": "The step under the cursor" });
  private readonly open = new Map<number, boolean>(); // lanes that the reader has opened or closed
  private readonly whole = new Set<string>(); // values that the reader wants to see in full

  constructor(
    private readonly run: Run,
    private readonly view: View,
    private readonly actions: Actions,
  ) {}

  paint(): void {
    const step = this.view.cursor;
    if (step < 0) {
      this.element.replaceChildren(
        h("p", { class: "empty" }, "The run has no step. What is below is its only state."),
        ...this.state(-1),
      );
      return;
    }
    this.element.replaceChildren(
      this.title(step),
      h(
        "div",
        { class: "inspected" },
        h(
          "div",
          {},
          ...this.messages(step),
          ...this.operations(step),
          ...this.changed(step),
          ...this.accesses(step),
          ...this.watched(step),
        ),
        h("div", {}, ...this.state(step)),
      ),
    );
  }

  private title(step: number): HTMLElement {
    const one = this.run.step(step);
    const last = this.run.number(this.run.last);
    const wrong = this.run.violated && step === this.run.last ? ` · after it, ${this.run.trace.property} is false` : "";
    const kind = one.kind === "step" ? "step" : one.kind;
    return h(
      "header",
      {},
      h(
        "div",
        {},
        h("h2", {}, `${this.run.laneName(one.lane)} · ${one.name || one.kind}`),
        h("p", { class: "muted" }, `step ${grouped(this.run.number(step))} of ${grouped(last)} · ${kind}${wrong}`),
      ),
      h(
        "div",
        { class: "buttons" },
        h(
          "button",
          {
            type: "button",
            "aria-label": "Previous step",
            disabled: step === 0,
            click: () => this.actions.choose(step - 1),
          },
          "↑",
        ),
        h(
          "button",
          {
            type: "button",
            "aria-label": "Next step",
            disabled: step === this.run.last,
            click: () => this.actions.choose(step + 1),
          },
          "↓",
        ),
      ),
    );
  }

  private messages(step: number): HTMLElement[] {
    const received = this.run.matching.received[step]!,
      sent = this.run.matching.sent[step]!;
    if (received.length + sent.length === 0) return [];
    const rows: HTMLElement[] = [];
    const verb = this.run.step(step).kind === "lose" ? "✕" : "◂";
    for (const one of received.slice(0, mostMessages)) {
      const { message } = one;
      rows.push(
        this.message(
          verb,
          "received",
          message.type,
          message.body,
          this.run.laneName(message.from),
          one.from === beforeTheRun ? h("span", { class: "muted" }, "sent before the run") : this.link(one.from),
        ),
      );
    }
    for (const one of sent.slice(0, mostMessages)) {
      const { message, receipts } = one;
      const where = receipts.length === 0 ? h("span", { class: "muted" }, "never received") : this.link(receipts[0]!);
      const more = receipts.length > 1 ? ` and ${receipts.length - 1} more` : "";
      rows.push(
        this.message(
          "▸",
          "sent",
          message.type,
          message.body,
          this.run.laneName(message.to),
          h("span", {}, where, more),
        ),
      );
    }
    const left = received.length + sent.length - rows.length;
    if (left > 0) rows.push(h("p", { class: "muted" }, `${grouped(left)} more are not shown.`));
    return [h("h3", {}, "Messages"), ...rows];
  }

  private message(sign: string, word: string, type: string, body: Json, who: string, where: HTMLElement): HTMLElement {
    const id = `message ${this.view.cursor} ${sign} ${who} ${type}`;
    return h(
      "div",
      { class: "message" },
      h("span", { class: "sign", title: word }, sign),
      h("span", { class: "visually-hidden" }, word),
      this.value(id, messageText(type, body), () => messageText(type, body, longestText)),
      h("span", { class: "who" }, `${who}, `, where),
    );
  }

  private operations(step: number): HTMLElement[] {
    const { operations, calls, output, choice } = this.run.step(step);
    const rows: HTMLElement[] = [];
    for (const one of operations) {
      rows.push(
        h(
          "p",
          { class: "operation" },
          `${this.run.laneName(one.lane)} ${one.kind === "invoke" ? "begins" : "ends"}: `,
          h("code", {}, valueText(one.value)),
        ),
      );
    }
    for (const one of calls) {
      rows.push(
        h(
          "p",
          { class: one.answer === "rejected" ? "wrongtext" : "operation" },
          `${one.object}: `,
          h("code", {}, one.call),
          ` ${one.answer}`,
        ),
      );
    }
    if (choice.length > 0 && this.run.sides(step).flat().length === 0)
      rows.push(h("p", {}, "chosen: ", h("code", {}, choice.map((one) => valueText(one, 60)).join(", "))));
    if (output !== "") rows.push(h("p", {}, "prints ", h("code", {}, output)));
    return rows;
  }

  private changed(step: number): HTMLElement[] {
    const rows: HTMLElement[] = [];
    const { diffs, lane, accesses } = this.run.step(step);
    for (const diff of diffs) {
      const key = `${diff.lane} ${diff.name}`;
      const owner = diff.lane === lane ? "" : `${this.run.laneName(diff.lane)} `;
      for (const one of changes(diff.before, diff.after)) {
        const joint = one.path === "" || one.path.startsWith("[") || diff.name === "" ? "" : ".";
        rows.push(
          h(
            "div",
            { class: "field changed" },
            this.fieldName(`${owner}${diff.name || "value"}${joint}${one.path}`, key),
            h(
              "span",
              { class: "becomes" },
              one.before !== undefined && h("del", {}, valueText(one.before, 120)),
              one.before !== undefined && one.after !== undefined && " → ",
              one.after === undefined
                ? " removed"
                : h(
                    "ins",
                    {},
                    this.value(`change ${key} ${one.path} ${step}`, valueText(one.after), () =>
                      valueText(one.after, longestText),
                    ),
                  ),
            ),
          ),
        );
        if (rows.length >= mostFields)
          return [
            h("h3", {}, "Changed in this step"),
            ...rows,
            h("p", { class: "muted" }, "More changes are not shown."),
          ];
      }
    }
    if (rows.length === 0 && accesses.length > 0) return [];
    if (rows.length === 0) rows.push(h("p", { class: "empty" }, "Nothing: no field has another value after it."));
    return [h("h3", {}, "Changed in this step"), ...rows];
  }

  private accesses(step: number): HTMLElement[] {
    const { accesses } = this.run.step(step);
    if (accesses.length === 0) return [];
    return [
      h("h3", {}, "Accesses"),
      ...accesses
        .slice(0, mostMessages)
        .map((one) =>
          h(
            "div",
            { class: "field" },
            h("span", {}, `${one.kind} `, h("code", {}, one.object + one.part)),
            h(
              "span",
              {},
              one.after !== undefined
                ? `${one.before === undefined ? "" : `${valueText(one.before, 60)} → `}${valueText(one.after, 60)}`
                : one.before === undefined
                  ? ""
                  : valueText(one.before, 60),
            ),
          ),
        ),
    ];
  }

  // --- Watched fields, each with a time line: a cell a value, as wide as its steps.

  private watched(step: number): HTMLElement[] {
    const fields = this.view.watch
      .map((key) => this.run.fields.all.get(key))
      .filter((one): one is Field => one !== undefined);
    if (fields.length === 0) return [];
    return [
      h("h3", {}, "Watched"),
      ...fields.map((field) =>
        h(
          "div",
          { class: "watched" },
          h(
            "div",
            { class: "field" },
            this.fieldName(`${this.run.laneName(field.lane)} ${field.name}`, field.key),
            h(
              "span",
              {},
              valueText(field.after(step)),
              h(
                "button",
                {
                  type: "button",
                  class: "plain",
                  "aria-label": `Stop watching ${field.name}`,
                  click: () => this.actions.watch(field.key),
                },
                "✕",
              ),
            ),
          ),
          this.timeLine(field, step),
        ),
      ),
    ];
  }

  private timeLine(field: Field, cursor: number): HTMLElement {
    const width = 360,
      height = 20,
      most = 200;
    const count = Math.max(this.run.trace.steps.length, 1);
    const x = (step: number): number => ((step + 1) / count) * width;
    const begin = Math.max(0, field.steps.length - most);
    const cells: SVGElement[] = [];
    for (let i = begin; i < field.steps.length; ++i) {
      const from = x(Math.max(field.steps[i]! - 1, -1)),
        to = i + 1 < field.steps.length ? x(field.steps[i + 1]! - 1) : width;
      const now = field.setBy(cursor) === field.steps[i];
      const text = clip(valueText(field.values[i], 40), Math.max(Math.floor((to - from - 8) / 6.7), 0));
      cells.push(
        s("path", {
          class: now ? "cell now" : "cell",
          d: `M${from + 3} 1H${to - 3}L${to} ${height / 2}L${to - 3} ${height - 1}H${from + 3}L${from} ${height / 2}z`,
        }),
      );
      if (to - from > 14)
        cells.push(s("text", { class: "celltext", x: (from + to) / 2, y: 14, "text-anchor": "middle" }, text));
    }
    cells.push(s("path", { class: "cursorline", d: `M${x(cursor - 0.5)} 0V${height}` }));
    const label =
      `${field.name} has ${counted(field.values.length, "value")} in this run` +
      (begin > 0 ? `; the first ${grouped(begin)} are not drawn` : "");
    const strip = s(
      "svg",
      {
        class: "strip",
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": label,
        preserveAspectRatio: "none",
      },
      ...cells,
    );
    strip.addEventListener("click", (event) => {
      const box = strip.getBoundingClientRect();
      const at = Math.floor((((event as MouseEvent).clientX - box.left) / box.width) * count);
      this.actions.choose(Math.max(field.setBy(at), 0));
    });
    return h("div", { title: label }, strip as unknown as HTMLElement);
  }

  // --- The state.

  private state(step: number): HTMLElement[] {
    const touched = new Set<number>();
    if (step >= 0) {
      touched.add(this.run.step(step).lane);
      for (const diff of this.run.step(step).diffs) touched.add(diff.lane);
    }
    const lanes = this.run.trace.lanes.map((_, i) => i).filter((lane) => this.run.fields.ofLane[lane]!.length > 0);
    if (lanes.length === 0) return [];
    lanes.sort((a, b) => Number(touched.has(b)) - Number(touched.has(a)) || a - b);
    const most = 120;
    return [
      h(
        "h3",
        { class: "split" },
        step < 0 ? "State" : "State after this step",
        h("span", { class: "muted" }, "a value leads to its step"),
      ),
      ...lanes.slice(0, most).map((lane) => this.laneState(lane, step, touched.has(lane), lanes.length)),
      ...(lanes.length > most
        ? [h("p", { class: "muted" }, `${grouped(lanes.length - most)} more processes are not listed.`)]
        : []),
    ];
  }

  private laneState(lane: number, step: number, touched: boolean, lanes: number): HTMLElement {
    const all = this.run.fields.ofLane[lane]!;
    const moving = all.filter((field) => field.changed > 0 || this.run.read.has(field.key)),
      still = all.length - moving.length;
    const opened = this.open.get(lane) ?? (touched || (lanes < foldLanesFrom && moving.length > 0));
    const element = h("details", { class: "lane", open: opened });
    const summary = h("summary", {}, h("b", {}, this.run.laneName(lane)));
    if (!opened)
      summary.append(
        h(
          "span",
          { class: "muted mono" },
          ` ${clip(
            moving
              .slice(0, 4)
              .map((field) => `${field.name} ${valueText(field.after(step), 20)}`)
              .join(" · "),
            70,
          )}`,
        ),
      );
    summary.addEventListener("click", (event) => {
      event.preventDefault();
      this.open.set(lane, !opened);
      this.paint();
    });
    element.append(summary);
    if (!opened) return element;
    const showsAll = this.whole.has(`lane ${lane}`);
    for (const field of (showsAll ? all : moving).slice(0, mostFields)) element.append(this.field(field, step));
    if (all.length > mostFields && (showsAll || moving.length > mostFields))
      element.append(h("p", { class: "muted" }, "More fields are not listed."));
    if (still > 0 && !showsAll) {
      element.append(
        h(
          "button",
          { type: "button", class: "plain muted", click: () => this.more(`lane ${lane}`) },
          `${counted(still, "field")} that never ${still === 1 ? "changes" : "change"}`,
        ),
      );
    }
    return element;
  }

  private field(field: Field, step: number): HTMLElement {
    const now = field.after(step),
      setBy = field.setBy(step);
    const fresh = step >= 0 && setBy === step && !sameValue(field.before(step), now);
    const shown = this.value(
      `state ${field.key}`,
      valueText(now),
      () => valueText(now, longestText),
      isObject(now) || Array.isArray(now) ? now : undefined,
    );
    const cls =
      `${fresh ? "fresh" : ""}${this.run.violated && step === this.run.last && this.run.read.has(field.key) ? " read" : ""}`.trim();
    const value =
      setBy === atTheBeginning || setBy === step
        ? h("span", { class: cls, title: setBy === atTheBeginning ? "as at the beginning" : "set in this step" }, shown)
        : h(
            "span",
            {},
            h(
              "button",
              {
                type: "button",
                class: `value ${cls}`,
                title: `set in step ${this.run.number(setBy)}`,
                click: () => this.actions.choose(setBy),
              },
              valueText(now),
            ),
          );
    return h("div", { class: "field" }, this.fieldName(field.name || "value", field.key), value);
  }

  private fieldName(text: string, key: string): HTMLElement {
    const watched = this.view.watch.includes(key);
    return h(
      "button",
      {
        type: "button",
        class: "fieldname",
        "data-key": key,
        "aria-pressed": String(watched),
        title: watched ? "stop watching" : "watch this field through the run",
        click: () => this.actions.watch(key),
      },
      text,
    );
  }

  /** A value, cut; in full, or folded by member, if somebody asks for that. */
  private value(id: string, text: string, whole: () => string, tree?: Json): HTMLElement {
    if (!text.endsWith("…")) return h("code", {}, text);
    if (!this.whole.has(id))
      return h(
        "span",
        {},
        h("code", {}, text),
        h("button", { type: "button", class: "plain", click: () => this.more(id) }, "more"),
      );
    return tree === undefined ? h("code", {}, whole()) : h("code", { class: "tree" }, ...this.tree(tree, 0));
  }

  private tree(value: Json, depth: number): HTMLElement[] {
    const members: [string, Json][] = Array.isArray(value)
      ? value.map((one, i) => [`[${i}]`, one])
      : isObject(value)
        ? Object.entries(value)
        : [];
    const rows = members.slice(0, 100).map(([name, one]) => {
      const text = valueText(one, 100);
      if (depth >= 6 || !text.endsWith("…")) return h("span", { class: "member" }, `${clip(name, 80)} ${text}`);
      return h(
        "details",
        { class: "member" },
        h("summary", {}, `${clip(name, 80)} ${clip(text, 40)}`),
        ...this.tree(one, depth + 1),
      );
    });
    if (members.length > 100)
      rows.push(h("span", { class: "member muted" }, `and ${grouped(members.length - 100)} more`));
    return rows;
  }

  private more(id: string): void {
    this.whole.add(id);
    this.paint();
  }

  private link(step: number): HTMLElement {
    return h(
      "button",
      { type: "button", class: "link", click: () => this.actions.choose(step) },
      `step ${this.run.number(step)}`,
    );
  }
}
