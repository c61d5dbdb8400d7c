// The panel "History": operations as intervals, with their places in the longest order that works, the core, and the
// one that fits nowhere.

import { characterWidth, h, place, s } from "./dom";
import { momentsOf, placeOperations, type History, type Operation, type Placed } from "./historydata";
import { clip, counted, grouped } from "./text";

const rowHeight = 40,
  boxHeight = 26,
  names = 110;
const shownOfOrder = 12;

export class HistoryPanel {
  readonly element = h("div", { class: "panel page", tabindex: "0" });
  chosen: number;
  private placed!: Placed;
  private moments!: Float64Array;
  private revealed = false;
  private readonly scroller = h("div", {
    class: "scrolls",
    tabindex: "0",
    role: "group",
    "aria-label": "Operations as intervals; arrow keys choose one",
  });
  private readonly stage = h("div", { class: "stage" });
  private readonly tables = h("div", { class: "columns" });
  private readonly said = h("p", { class: "chosenop", role: "status" });
  private onlyCore = false;
  private wholeOrder = false;
  private shown: Operation[] = [];

  constructor(
    private readonly history: History,
    private readonly choose: (step: number) => void,
    private readonly moved: () => void,
  ) {
    this.chosen = Math.max(
      history.operations.findIndex((one) => one.wrong),
      0,
    );
    const { operations, order } = history;
    const core = operations.filter((one) => one.core).length;
    const chips = h(
      "div",
      { class: "chips" },
      h(
        "span",
        {},
        h("b", {}, history.subject || counted(operations.length, "operation")),
        history.specification ? ` as ${history.specification}` : "",
      ),
    );
    if (history.judged) {
      chips.append(
        h(
          "span",
          { class: "chip core" },
          `✗ core: ${core}, ${history.coreProven ? "leaves no order" : "around the place"}`,
        ),
      );
      if (order.length > 0)
        chips.append(
          h("span", { class: "chip placed" }, `▲ ${grouped(order.length + history.skipped)} in an order that works`),
        );
      const rest =
        operations.length - order.length - operations.filter((one) => one.core && one.place === undefined).length;
      if (order.length > 0 && rest > 0) chips.append(h("span", { class: "chip" }, `${grouped(rest)} not reached`));
      const button = h(
        "button",
        {
          type: "button",
          class: "toggle",
          "aria-pressed": "false",
          click: () => {
            this.onlyCore = !this.onlyCore;
            button.setAttribute("aria-pressed", String(this.onlyCore));
            this.layout();
          },
        },
        "Only the core",
      );
      chips.append(button);
    }
    if (history.leftOut > 0)
      chips.append(
        h(
          "span",
          { class: "muted" },
          `${counted(history.leftOut, "operation")} far from the place ${history.leftOut === 1 ? "is" : "are"} left out`,
        ),
      );
    this.scroller.append(this.stage);
    const hint =
      "Time runs to the right in the order of events, stretched so that labels fit. ▲ the moment at which the order puts an operation; dashed: no answer, may still happen; hatched with ✗: fits nowhere.";
    this.element.append(chips, this.scroller, h("p", { class: "muted" }, hint), this.said, this.tables);
    this.scroller.addEventListener("scroll", () => this.paint());
    this.stage.addEventListener("click", (event) => {
      const index =
        event.target instanceof Element ? event.target.closest("[data-op]")?.getAttribute("data-op") : undefined;
      if (index != null) this.select(Number(index));
    });
    new ResizeObserver(() => this.paint()).observe(this.scroller);
    this.layout();
    this.paintTables();
  }

  select(index: number): void {
    if (!this.history.operations[index]) return;
    this.chosen = index;
    this.reveal();
    this.paint();
    this.say();
    this.moved();
  }

  /** To the operation before or after in time. */
  step(by: 1 | -1): void {
    for (let i = this.chosen + by; i >= 0 && i < this.history.operations.length; i += by) {
      if (this.onlyCore && !this.history.operations[i]!.core) continue;
      this.select(i);
      return;
    }
  }

  private layout(): void {
    this.shown = this.history.operations.filter((one) => !this.onlyCore || one.core);
    this.placed = placeOperations(
      this.shown,
      (one) =>
        Math.min(one.text.length, 40) * characterWidth("11.5px ui-monospace, monospace") +
        (one.place ? 36 : 22) +
        (one.wrong ? 16 : 0),
    );
    this.moments = momentsOf(this.shown, this.placed);
    place(this.stage, { height: this.placed.rows.length * rowHeight + 12, width: names + this.placed.width + 10 });
    this.paint();
    this.say();
  }

  private reveal(): void {
    const at = this.shown.indexOf(this.history.operations[this.chosen]!);
    if (at < 0) return;
    const left = names + this.placed.left[at]!,
      right = names + this.placed.right[at]!;
    const { scrollLeft, clientWidth } = this.scroller;
    const out = left < scrollLeft + names || Math.min(right, left + 200) > scrollLeft + clientWidth;
    if (out) this.scroller.scrollLeft = left - names - clientWidth * 0.4;
  }

  /** Only intervals in sight are drawn; beside a screen also those that a print needs. */
  paint(): void {
    const { placed } = this;
    if (!this.revealed && this.scroller.clientWidth > 0) {
      this.revealed = true;
      this.reveal();
    }
    const from = this.scroller.scrollLeft - 200,
      to = this.scroller.scrollLeft + (this.scroller.clientWidth || 1200) + 200;
    const height = placed.rows.length * rowHeight + 12;
    const width = names + placed.width + 10;
    const svg = s("svg", { class: "timeline", width, height, "aria-hidden": "true" });
    svg.append(
      s(
        "defs",
        {},
        s(
          "pattern",
          { id: "stripes", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
          s("path", { class: "stripes", d: "M0 0V7", stroke: "currentColor" }),
        ),
      ),
    );
    const mostRows = 400;
    placed.rows
      .slice(0, mostRows)
      .forEach((_, row) => svg.append(s("path", { class: "line", d: `M0 ${(row + 1) * rowHeight}H${width}` })));
    let drawn = 0;
    this.shown.forEach((one, i) => {
      const left = names + placed.left[i]!,
        right = names + placed.right[i]!,
        row = placed.row[i]!;
      if (right < from || left > to || row >= mostRows || drawn >= 400) return;
      ++drawn;
      svg.append(this.interval(one, left, right, row, names + this.moments[i]!));
    });
    const x = this.scroller.scrollLeft;
    svg.append(s("rect", { class: "side", x, y: 0, width: names - 8, height }));
    placed.rows
      .slice(0, mostRows)
      .forEach((name, row) =>
        svg.append(s("text", { class: "who", x: x + 8, y: row * rowHeight + 25 }, clip(name, 15))),
      );
    this.stage.replaceChildren(svg);
  }

  private interval(one: Operation, left: number, right: number, row: number, moment: number): SVGElement {
    const y = row * rowHeight + 7;
    const index = this.history.operations.indexOf(one);
    const kind = [
      one.place ? "placed" : "other",
      one.core && "core",
      one.wrong && "wrong",
      one.end === undefined && "open",
      index === this.chosen && "chosen",
    ]
      .filter(Boolean)
      .join(" ");
    const group = s("g", { class: kind, "data-op": index });
    const shape =
      one.end === undefined ? `M${right} ${y}H${left + 4}q-4 0 -4 4V${y + boxHeight - 4}q0 4 4 4H${right}` : undefined;
    group.append(
      shape
        ? s("path", { class: "interval", d: shape })
        : s("rect", { class: "interval", x: left, y, width: right - left, height: boxHeight, rx: 4 }),
    );
    if (one.wrong)
      group.append(
        s("rect", {
          x: left,
          y,
          width: right - left,
          height: boxHeight,
          rx: 4,
          fill: "url(#stripes)",
          color: "var(--bad)",
          opacity: 0.25,
        }),
      );
    let text = left + 8;
    if (one.place) {
      group.append(
        s("circle", { class: "disc", cx: left + 14, cy: y + 13, r: 8.5 }),
        s("text", { class: "disctext", x: left + 14, y: y + 16.5, "text-anchor": "middle" }, String(one.place)),
      );
      group.append(s("path", { class: "moment", d: `M${moment} ${y + boxHeight + 1}l4.5 7h-9z` }));
      text = left + 28;
    }
    const room = Math.floor((right - text - 4) / characterWidth("11.5px ui-monospace, monospace"));
    group.append(
      s("text", { x: text, y: y + 17 }, clip(one.text, room) + (one.wrong && room > one.text.length + 1 ? " ✗" : "")),
    );
    return group;
  }

  private say(): void {
    const one = this.history.operations[this.chosen];
    if (!one) return;
    const parts: (Node | string)[] = [h("b", {}, `${one.process}: `), h("code", {}, one.text)];
    if (one.line !== undefined) parts.push(` · line ${one.line}`);
    if (one.end === undefined) parts.push(" · no answer");
    if (one.place !== undefined)
      parts.push(
        ` · ${one.place}. in the order${one.object !== undefined ? `, then the object is ${one.object}` : ""}`,
      );
    if (one.core) parts.push(" · core");
    if (one.wrong) parts.push(" · fits nowhere");
    if (one.step !== undefined)
      parts.push(
        " · ",
        h("button", { type: "button", class: "link", click: () => this.choose(one.step!) }, "to its step in the run"),
      );
    this.said.replaceChildren(...parts);
  }

  private paintTables(): void {
    const { history } = this;
    if (!history.judged) {
      this.tables.replaceChildren(
        h(
          "p",
          { class: "empty" },
          "These are the operations of the run, by their beginnings. No order of them was kept; what is wrong, if anything, stands above.",
        ),
      );
      return;
    }
    const rows: HTMLElement[] = [];
    const first = this.wholeOrder ? 0 : Math.max(0, history.order.length - shownOfOrder);
    if (first + history.skipped > 0) {
      rows.push(
        h(
          "tr",
          {},
          h("td", {}),
          h(
            "td",
            { colspan: 3 },
            this.wholeOrder || first === 0
              ? `${grouped(history.skipped)} earlier are left out`
              : h(
                  "button",
                  {
                    type: "button",
                    class: "link",
                    click: () => {
                      this.wholeOrder = true;
                      this.paintTables();
                    },
                  },
                  `${grouped(first + history.skipped)} earlier`,
                ),
          ),
        ),
      );
    }
    history.order.slice(first, first + 500).forEach((index) => rows.push(this.orderRow(index)));
    const wrong = history.operations.findIndex((one) => one.wrong);
    if (wrong >= 0) rows.push(this.orderRow(wrong));
    const order =
      history.order.length === 0
        ? h(
            "p",
            { class: "empty" },
            "No order was kept for this history: a monitor decided it, which places no operations.",
          )
        : h(
            "table",
            {},
            h(
              "thead",
              {},
              h("tr", {}, ...["#", "operation", "by", "object after it"].map((one) => h("th", { scope: "col" }, one))),
            ),
            h("tbody", {}, ...rows),
          );
    const [head, ...why] = history.sentences;
    this.tables.replaceChildren(
      h("section", {}, h("h2", {}, "An order that works, and where it ends"), order),
      h(
        "section",
        {},
        h("h2", {}, "Why no order is left"),
        h(
          "div",
          { class: "box" },
          h("p", {}, head ?? "No order of the operations explains the answers."),
          why.length > 0 && h("ul", {}, ...why.map((one) => h("li", {}, one))),
        ),
        history.coreProven &&
          h(
            "p",
            { class: "muted" },
            "The core is a smallest such set: if any of its operations may happen at any time with any answer, an order exists.",
          ),
      ),
    );
  }

  private orderRow(index: number): HTMLElement {
    const one = this.history.operations[index]!;
    return h(
      "tr",
      { class: one.wrong ? "bad" : "" },
      h("td", { class: "figure" }, one.wrong ? "✗" : String(one.place)),
      h(
        "td",
        {},
        h("button", { type: "button", class: "plain mono", click: () => this.select(index) }, one.text),
        one.core && h("span", { class: "chip core" }, "core"),
      ),
      h("td", {}, one.process),
      h("td", { class: "mono" }, one.wrong ? "fits nowhere" : (one.object ?? "")),
    );
  }
}
