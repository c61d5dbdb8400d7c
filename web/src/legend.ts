// What the marks mean: only those that the run has.

import { h, s } from "./dom";
import type { Run } from "./run";

export function legend(run: Run): HTMLElement {
  const kinds = new Set(run.trace.steps.map((step) => step.kind));
  const has = (test: (step: (typeof run.trace.steps)[number]) => boolean): boolean => run.trace.steps.some(test);
  const rows: [string, SVGElement[]][] = [["step", [s("circle", { class: "solid step", cx: 8, cy: 8, r: 5 })]]];
  const g = (...children: SVGElement[]): SVGElement[] => [s("g", { class: "step" }, ...children)];
  if (kinds.has("timeout"))
    rows.push([
      "timer",
      g(s("circle", { class: "hollow", cx: 8, cy: 8, r: 6 }), s("path", { class: "hands", d: "M8 4.5V8H11" })),
    ]);
  if (has((step) => step.received.length > 1))
    rows.push([
      "several messages received in one step",
      g(s("rect", { class: "solid", x: 5, y: 1, width: 6, height: 14, rx: 3 })),
    ]);
  if (kinds.has("lose")) rows.push(["lost", [s("path", { class: "fault mark", d: "M3 3l10 10m0 -10l-10 10" })]]);
  if (kinds.has("duplicate"))
    rows.push(["duplicated", [s("path", { class: "fault sheets", d: "M3 2h8v8h-8zM6 5h8v8h-8z" })]]);
  if (kinds.has("crash"))
    rows.push([
      "crash",
      [
        s("rect", { class: "fault solid", x: 2, y: 2, width: 12, height: 12 }),
        s("path", { class: "onfault", d: "M5 5l6 6m0 -6l-6 6" }),
      ],
    ]);
  if (kinds.has("recover")) rows.push(["recovery", [s("circle", { class: "fault hollow", cx: 8, cy: 8, r: 6 })]]);
  if (kinds.has("partition")) rows.push(["partition, sides A and B", [s("path", { class: "across", d: "M0 8H16" })]]);
  if (kinds.has("byzantine"))
    rows.push(["Byzantine step", [s("path", { class: "fault solid", d: "M8 1l7 7l-7 7l-7 -7z" })]]);
  if (has((step) => step.operations.length > 0))
    rows.push(["operation", g(s("rect", { class: "operation", x: 3, y: 1, width: 10, height: 14, rx: 5 }))]);
  if (has((step) => step.calls.length > 0))
    rows.push(["call on the object", [s("path", { class: "answer", d: "M8 2l6 6l-6 6l-6 -6z" })]]);
  if (run.matching.sent.some((all) => all.length > 0 && all.every((one) => one.receipts.length === 0))) {
    rows.push([
      "never received",
      [s("path", { class: "stub", d: "M2 3l7 7" }), s("circle", { class: "stub end", cx: 11, cy: 12, r: 2.6 })],
    ]);
  }
  return h(
    "div",
    { class: "legend", "aria-hidden": "true" },
    ...rows.map(([text, marks]) =>
      h(
        "span",
        {},
        s("svg", { class: "drawing inline", width: 16, height: 16 }, ...marks) as unknown as HTMLElement,
        ` ${text}`,
      ),
    ),
  );
}
