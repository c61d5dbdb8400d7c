// Draws the rows of the space-time diagram that are in sight: one SVG for lanes, rails, arrows and marks. Text rows lie
// over it as HTML (runpanel.ts). Nothing is drawn that is not seen, so the page stays small however long the run is.

import { characterWidth, s } from "./dom";
import { beforeTheRun } from "./matching";
import { arrowY, block, isOfTheNetwork, railX, subRow, type Lanes, type Rails, type Rows } from "./layout";
import type { Run } from "./run";
import type { Span, Spans } from "./spans";
import { clip } from "./text";
import { messageText } from "./values";

export interface Drawn {
  run: Run;
  lanes: Lanes;
  rows: Rows;
  rails: Rails;
  spans: Spans;
  cursor: number; // step, or -1
  past: Uint8Array | undefined; // the causal past that is shown
}

const mono = "11px ui-monospace, monospace";
const bold = "600 12.5px system-ui, sans-serif";
const passing = 150; // rails that only pass what is in sight; with more of them nobody could follow one
const mostArrows = 60; // of one row

export function draw(d: Drawn, firstRow: number, lastRow: number, top: number, bottom: number): SVGElement {
  const svg = s("svg", {
    width: d.lanes.width,
    height: bottom - top,
    viewBox: `0 ${top} ${d.lanes.width} ${bottom - top}`,
    "aria-hidden": "true",
  });
  svg.append(definitions());
  const { list } = d.rows;
  lanes(d, svg, top, bottom, firstRow, lastRow);
  const firstStep = list[firstRow]?.first ?? 0,
    lastStep = list[lastRow]?.first ?? 0;
  const inSight = d.spans.operations.filter((span) => span.from <= lastStep && (span.to < 0 || span.to >= firstStep));
  for (let row = firstRow; row <= lastRow; ++row) if (!list[row]!.folded) operations(d, svg, row, inSight);
  for (const rail of railsInSight(d, firstRow, lastRow)) drawRail(d, svg, rail, top, bottom);
  for (let row = firstRow; row <= lastRow; ++row) {
    if (list[row]!.folded) continue;
    arrows(d, svg, row);
    marks(d, svg, row);
  }
  if (d.past) staircase(d, svg, firstRow, lastRow, top, bottom);
  return svg;
}

/** Those that begin or end in sight, and some of those that pass. */
function railsInSight(d: Drawn, firstRow: number, lastRow: number): Set<number> {
  const { rails, rows } = d;
  const out = new Set<number>();
  for (let row = firstRow; row <= lastRow; ++row) {
    const { first, folded } = rows.list[row]!;
    if (folded) continue;
    for (let i = rails.offset[first]!; i < Math.min(rails.offset[first + 1]!, rails.offset[first]! + mostArrows); ++i)
      if (rails.into[i]! >= 0) out.add(rails.into[i]!);
  }
  let passed = 0;
  for (let b = Math.floor(firstRow / block); b <= Math.floor(lastRow / block); ++b) {
    for (const rail of rails.ofBlock[b] ?? []) {
      if (rails.first[rail]! > lastRow || rails.last[rail]! < firstRow || out.has(rail)) continue;
      if (rails.first[rail]! >= firstRow || ++passed <= passing) out.add(rail);
    }
  }
  return out;
}

function railOf(d: Drawn, step: number, place: number): number {
  return step < 0 ? -1 : (d.rails.into[d.rails.offset[step]! + place] ?? -1);
}

function definitions(): SVGElement {
  const head = (id: string, cls: string): SVGElement =>
    s(
      "marker",
      {
        id,
        viewBox: "0 0 8 8",
        refX: 8,
        refY: 4,
        markerWidth: 8,
        markerHeight: 8,
        markerUnits: "userSpaceOnUse",
        orient: "auto-start-reverse",
      },
      s("path", { d: "M0 0.5L8 4L0 7.5z", class: cls }),
    );
  return s(
    "defs",
    {},
    head("head", "head"),
    head("head-now", "head now"),
    head("head-fault", "head fault"),
    s(
      "pattern",
      { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      s("rect", { width: 5, height: 5, class: "side" }),
      s("path", { d: "M0 0V5", class: "hatching" }),
    ),
  );
}

// --- Lanes, and what lies on them for some time.

function y(d: Drawn, step: number): number {
  const row = d.rows.ofStep[step]!;
  return d.rows.list[row]!.folded ? d.rows.top[row]! + 12 : arrowY(d.rows, row, 0);
}

function spanY(d: Drawn, span: Span): [number, number] {
  return [y(d, span.from), span.to < 0 ? d.rows.top[d.rows.list.length]! : y(d, span.to)];
}

function lanes(d: Drawn, svg: SVGElement, top: number, bottom: number, firstRow: number, lastRow: number): void {
  const half = Math.min(24, d.lanes.spacing / 2 - 1);
  for (const span of d.spans.sides) {
    const x = d.lanes.x[span.lane]!;
    const [from, to] = spanY(d, span);
    if (Number.isNaN(x) || to < top || from > bottom) continue;
    svg.append(
      s("rect", {
        class: span.side === 0 ? "side" : "",
        fill: span.side === 1 ? "url(#hatch)" : undefined,
        x: x - half,
        width: half * 2,
        y: Math.max(from, top),
        height: Math.min(to, bottom) - Math.max(from, top),
      }),
    );
    if (from >= top && d.lanes.density !== "XS") {
      svg.append(
        s(
          "text",
          { class: "sidename", x: x + half - 4, y: from + 14, "text-anchor": "end" },
          span.side === 0 ? "A" : "B",
        ),
      );
    }
  }
  const downInSight = d.spans.down.filter((span) => {
    const [from, to] = spanY(d, span);
    return from <= bottom && to >= top;
  });
  for (const lane of d.lanes.shown) {
    const x = d.lanes.x[lane]!;
    if (d.lanes.objects.has(lane)) {
      svg.append(s("path", { class: "object", d: `M${x - 1.5} ${top}V${bottom}M${x + 1.5} ${top}V${bottom}` }));
      continue;
    }
    let from = top;
    for (const span of downInSight) {
      if (span.lane !== lane) continue;
      const [begin, end] = spanY(d, span);
      if (begin > from) svg.append(s("path", { class: "lane", d: `M${x} ${from}V${begin}` }));
      svg.append(s("path", { class: "lane down", d: `M${x} ${Math.max(begin, top)}V${Math.min(end, bottom)}` }));
      from = Math.min(end, bottom);
    }
    if (from < bottom) svg.append(s("path", { class: "lane", d: `M${x} ${from}V${bottom}` }));
  }
  // The lines across of partitions and heals.
  for (let row = firstRow; row <= lastRow; ++row) {
    const { first, folded } = d.rows.list[row]!;
    const { kind } = d.run.step(first);
    if (folded || (kind !== "partition" && kind !== "heal")) continue;
    const at = arrowY(d.rows, row, 0);
    svg.append(
      s("path", { class: kind === "heal" ? "across heal" : "across", d: `M${56} ${at}H${d.lanes.width - 4}` }),
    );
  }
}

function operations(d: Drawn, svg: SVGElement, row: number, inSight: Span[]): void {
  const step = d.rows.list[row]!.first;
  const { top } = d.rows;
  for (const span of inSight) {
    // Capsules are drawn row by row: a long one costs no more than what is in sight of it.
    if (span.from > step || (span.to >= 0 && span.to < step) || Number.isNaN(d.lanes.x[span.lane]!)) continue;
    const x = d.lanes.x[span.lane]!;
    const begins = span.from === step,
      ends = span.to === step;
    const middle = arrowY(d.rows, row, 0);
    const from = begins ? middle - 9 : top[row]!,
      to = ends ? middle + 9 : top[row + 1]!;
    const w = d.lanes.density === "L" || d.lanes.density === "M" ? 8 : 4;
    const path =
      `M${x - w} ${to}V${from + (begins ? w : 0)}${begins ? `a${w} ${w} 0 0 1 ${2 * w} 0` : `M${x + w} ${from}`}V${to}` +
      (ends ? `M${x - w} ${to}a${w} ${w} 0 0 0 ${2 * w} 0` : "");
    svg.append(s("path", { class: span.to < 0 ? "operation pending" : "operation", d: path }));
  }
}

// --- Messages.

function drawRail(d: Drawn, svg: SVGElement, rail: number, top: number, bottom: number): void {
  const { rails } = d;
  const x = railX(d.lanes, rails, rail),
    sender = rails.step[rail]!;
  const from = y(d, sender) + (d.lanes.density === "XS" ? 0 : 4);
  const to = Math.max(from, arrowY(d.rows, rails.last[rail]!, rails.lastPlace[rail]!) - 6);
  const now =
    sender === d.cursor ||
    (d.cursor >= 0 && d.run.matching.received[d.cursor]!.some((_, place) => railOf(d, d.cursor, place) === rail));
  svg.append(
    s("path", {
      class: now ? "rail now" : "rail",
      d: `M${x} ${Math.max(from, top)}V${Math.min(to, bottom)}`,
      "data-from": sender + 1,
    }),
  );
}

function arrows(d: Drawn, svg: SVGElement, row: number): void {
  const step = d.rows.list[row]!.first;
  const { kind } = d.run.step(step);
  const lost = kind === "lose",
    twice = kind === "duplicate",
    fault = lost || twice;
  d.run.matching.received[step]!.slice(0, mostArrows).forEach((one, n) => {
    const to = d.lanes.x[one.message.to]!,
      at = arrowY(d.rows, row, n);
    if (Number.isNaN(to)) return;
    const rail = railOf(d, step, n);
    const fromColumn = d.lanes.column[one.message.from]!;
    const side = fromColumn >= 0 && fromColumn > d.lanes.column[one.message.to]! ? 1 : -1;
    const itself = one.message.from === one.message.to;
    const start = rail >= 0 ? railX(d.lanes, d.rails, rail) : to + side * Math.min(d.lanes.spacing * 0.6, 60);
    const dir = itself ? -1 : Math.sign(to - start) || 1;
    const short = lost || twice ? Math.min(26, d.lanes.spacing / 2) : d.run.matching.received[step]!.length > 1 ? 6 : 7;
    const end = to - dir * short;
    const now = step === d.cursor || (rail >= 0 && d.rails.step[rail] === d.cursor);
    const cls = `arrow${fault ? " fault" : now ? " now" : ""}${d.past && !d.past[step] ? " pale" : ""}`;
    const corner = rail >= 0 && Math.abs(end - start) > 8 ? `M${start} ${at - 6}q0 6 ${dir * 6} 6` : `M${start} ${at}`;
    svg.append(
      s("path", {
        class: cls,
        d: `${corner}H${end}`,
        "marker-end": fault ? undefined : now ? "url(#head-now)" : "url(#head)",
        "data-step": step + 1,
        "data-from": one.from === beforeTheRun ? "before" : one.from + 1,
        "data-lane": one.message.to,
      }),
    );
    if (lost) svg.append(s("path", { class: "fault mark", d: `M${end - 5} ${at - 5}l10 10m0 -10l-10 10` }));
    if (twice)
      svg.append(s("path", { class: "fault sheets", d: `M${end - 5} ${at - 6}h8v8h-8zM${end - 2} ${at - 3}h8v8h-8z` }));
    label(d, svg, step, n, start, end, at, dir, now, fault);
  });
  // Calls on an abstract object have a row below the receives.
  d.run.step(step).calls.forEach((call, n) => {
    const lane = d.lanes.shown.find((one) => d.lanes.objects.has(one) && d.run.laneName(one) === call.object);
    const from = d.lanes.x[d.run.step(step).lane]!;
    if (lane === undefined || Number.isNaN(from)) return;
    const to = d.lanes.x[lane]!;
    const at = arrowY(d.rows, row, Math.max(d.run.step(step).received.length - 1, 0) + n + 1);
    const cls = call.answer === "rejected" ? "call rejected" : "call";
    svg.append(s("path", { class: cls, d: `M${from} ${at - 12}V${at}H${to - 8}`, "data-step": step + 1 }));
    if (call.answer === "rejected") {
      svg.append(
        s("circle", { class: "rejection", cx: to, cy: at, r: 8 }),
        s("path", { class: "rejection", d: `M${to - 3.5} ${at - 3.5}l7 7m0 -7l-7 7` }),
      );
    } else {
      svg.append(
        s("path", {
          class: call.answer === "stutter" ? "answer stutter" : "answer",
          d: `M${to} ${at - 6}l6 6l-6 6l-6 -6z`,
        }),
      );
    }
    write(svg, `${cls} label${rowClass(d, step)}`, call.call, to - 14, at + 3.5, "end", Math.abs(to - from) - 24, true);
  });
}

function label(
  d: Drawn,
  svg: SVGElement,
  step: number,
  n: number,
  start: number,
  end: number,
  at: number,
  dir: number,
  now: boolean,
  fault: boolean,
): void {
  if (d.lanes.density === "S" || d.lanes.density === "XS") return;
  const { message } = d.run.matching.received[step]![n]!;
  // Next to the receiver, within the gap between its lane and the next one; ten pixels of the line stay in sight on
  // both sides.
  const room = Math.min(Math.abs(end - start), d.lanes.spacing) - (fault ? 36 : 28);
  const fits = Math.floor(room / characterWidth(mono));
  if (fits < 3) return;
  const whole = d.lanes.density === "L" ? messageText(message.type, message.body, 60) : message.type;
  const text = whole.length <= fits ? whole : clip(message.type, fits);
  const anchor = end - dir * (fault ? 18 : 16);
  write(
    svg,
    `label${fault ? " fault" : now ? " now" : ""}${rowClass(d, step)}`,
    text,
    anchor,
    at + 3.5,
    dir > 0 ? "end" : "start",
    room,
    true,
  );
}

function rowClass(d: Drawn, step: number): string {
  if (step === d.cursor) return " in-cursor";
  return d.run.violated && step === d.run.last ? " in-bad" : "";
}

function write(
  svg: SVGElement,
  cls: string,
  text: string,
  x: number,
  at: number,
  anchor: string,
  room: number,
  patch = false,
): void {
  const shown = clip(text, Math.floor(room / characterWidth(mono)));
  if (patch) {
    const width = shown.length * characterWidth(mono) + 6;
    svg.append(
      s("rect", {
        class: `patch${/ in-\w+/.exec(cls)?.[0] ?? ""}`,
        x: anchor === "end" ? x - width + 3 : x - 3,
        y: at - 10.5,
        width,
        height: 14,
      }),
    );
  }
  svg.append(s("text", { class: cls, x, y: at, "text-anchor": anchor }, shown));
}

// --- Steps.

function marks(d: Drawn, svg: SVGElement, row: number): void {
  const step = d.rows.list[row]!.first;
  const one = d.run.step(step);
  const x = d.lanes.x[one.lane]!,
    at = arrowY(d.rows, row, 0);
  if (isOfTheNetwork(one.kind) || Number.isNaN(x)) return;
  const pale = d.past && !d.past[step] ? " pale" : "";
  const wrong = d.run.violated && step === d.run.last;
  const many = one.received.length > 1 ? (Math.min(one.received.length, mostArrows) - 1) * subRow : 0;
  const r = d.lanes.density === "XS" ? 3 : d.lanes.density === "S" ? 4 : 5.5;
  const cls = `${wrong ? "bad" : "step"}${pale}`;
  const group = s("g", { class: cls, "data-mark": step + 1, "data-lane": one.lane });
  stubs(d, svg, step, x, at + many);
  if (one.kind === "crash") {
    group.append(
      s("rect", { class: "fault solid", x: x - 6, y: at - 6, width: 12, height: 12 }),
      s("path", { class: "onfault", d: `M${x - 3} ${at - 3}l6 6m0 -6l-6 6` }),
    );
  } else if (one.kind === "recover") {
    group.append(
      s("circle", { class: "fault hollow", cx: x, cy: at, r: 7 }),
      s("path", { class: "fault mark", d: `M${x - 3.5} ${at + 1}a3.6 3.6 0 1 0 1.2 -3.4m-1.4 -2l.4 2.9l2.8 -.4` }),
    );
  } else if (one.kind === "byzantine") {
    group.append(
      s("path", { class: "fault solid", d: `M${x} ${at - 8}l8 8l-8 8l-8 -8z` }),
      s("path", { class: "onfault", d: `M${x} ${at - 4}v4.5m0 2v1.2` }),
    );
  } else if (one.kind === "timeout") {
    group.append(
      s("circle", { class: "hollow", cx: x, cy: at, r: r + 0.5 }),
      s("path", { class: "hands", d: `M${x} ${at - r + 2}V${at}H${x + r - 2.5}` }),
    );
  } else if (many > 0) {
    group.append(s("rect", { class: "solid", x: x - r, y: at - 8, width: 2 * r, height: many + 16, rx: r }));
  } else {
    group.append(s("circle", { class: "solid", cx: x, cy: at, r }));
  }
  const ring = r + 4;
  if (wrong)
    group.append(
      s("rect", {
        class: "ring bad",
        x: x - ring,
        y: at - ring - (many ? 3 : 0),
        width: 2 * ring,
        height: 2 * ring + many + (many ? 6 : 0),
        rx: ring,
      }),
    );
  if (step === d.cursor) {
    const more = wrong ? 3 : 0;
    group.append(
      s("rect", {
        class: "ring",
        x: x - ring - more,
        y: at - ring - more - (many ? 3 : 0),
        width: 2 * (ring + more),
        height: 2 * (ring + more) + many + (many ? 6 : 0),
        rx: ring + more,
      }),
    );
  }
  svg.append(group);
  if (d.lanes.density === "L") {
    const lastLane = d.lanes.shown[d.lanes.shown.length - 1] === one.lane;
    const room = (lastLane ? d.lanes.spacing / 2 + 12 : d.lanes.spacing) - 16;
    // Steps of programs are named by file and line; the file is the same for most.
    const name =
      one.place && one.place.line > 0 && one.name.endsWith(`:${one.place.line}`)
        ? `line ${one.place.line}`
        : one.name || one.kind;
    svg.append(
      s("text", { class: `name ${cls}`, x: x + 11, y: at - 9 }, clip(name, Math.floor(room / characterWidth(bold)))),
    );
  }
}

/** A circle on a short tick: sent and never received. Shown at the cursor, and where nothing of a step was received. */
function stubs(d: Drawn, svg: SVGElement, step: number, x: number, at: number): void {
  const sent = d.run.matching.sent[step]!;
  const lost = sent.filter((one) => one.receipts.length === 0);
  if (lost.length === 0 || (lost.length < sent.length && step !== d.cursor) || d.lanes.density === "XS") return;
  const right = lost.some((one) => d.lanes.column[one.message.to]! > d.lanes.column[one.message.from]!);
  const dir = right ? 1 : -1;
  svg.append(
    s("path", { class: "stub", d: `M${x + dir * 3} ${at + 4}l${dir * 7} 7` }),
    s("circle", { class: "stub end", cx: x + dir * 12, cy: at + 13, r: 2.6 }),
  );
}

/** The smallest consistent cut around the causal past: below the last step of each lane that belongs to it. */
function staircase(d: Drawn, svg: SVGElement, firstRow: number, lastRow: number, top: number, bottom: number): void {
  const last = new Map<number, number>();
  d.run.trace.steps.forEach((step, i) => {
    if (d.past![i] && !isOfTheNetwork(step.kind)) last.set(step.lane, i);
  });
  const half = d.lanes.spacing / 2;
  let path = "";
  for (const lane of d.lanes.shown) {
    if (d.lanes.objects.has(lane)) continue;
    const step = last.get(lane);
    const row = step === undefined ? 0 : d.rows.ofStep[step]!;
    const at = Math.max(top - 10, Math.min(step === undefined ? 0 : d.rows.top[row + 1]!, bottom + 10));
    path += `${path ? "V" + at : `M${d.lanes.x[lane]! - half} ${at}`}H${d.lanes.x[lane]! + half}`;
  }
  if (path && firstRow <= lastRow) svg.append(s("path", { class: "cut", d: path }));
}
