// The history of a finding: operations as intervals, an order of as many as possible, the core. It comes from the JSON
// of a run; of a trace with operations only the intervals are known.

import type { Finding } from "./finding";
import type { Run } from "./run";
import { findSpans } from "./spans";
import { clean, clip } from "./text";
import { isObject, valueText, type Json } from "./values";
import { objectOf, text } from "./verdict";

export interface Operation {
  process: string;
  text: string;
  begin: number;
  end: number | undefined;
  line: number | undefined;
  place: number | undefined; // in the order, from 1
  object: string | undefined; // after it
  core: boolean;
  wrong: boolean; // fits nowhere
  step: number | undefined; // of the run, where it begins
}

export interface History {
  subject: string;
  specification: string;
  operations: Operation[]; // by begin
  order: number[]; // indices
  skipped: number; // of the order, at its beginning
  sentences: string[];
  coreProven: boolean;
  leftOut: number;
  judged: boolean; // there is an order and a core
}

export const mostOperations = 20_000;

export function historyOf(finding: Finding, run: Run | undefined): History | undefined {
  const json = finding.run?.["history"];
  if (isObject(json) && Array.isArray(json["operations"])) return judged(json, run);
  return run ? fromTrace(run) : undefined;
}

function judged(json: { [key: string]: Json }, run: Run | undefined): History {
  const number = (value: Json | undefined): number | undefined =>
    typeof value === "number" && Number.isFinite(value) ? value : undefined;
  const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
  const operations: Operation[] = list(json["operations"])
    .slice(0, mostOperations)
    .map((one) => {
      const all = objectOf(one);
      return {
        process: clip(clean(text(all["process"])), 100),
        text: clip(clean(text(all["text"])), 200),
        begin: number(all["begin"]) ?? 0,
        end: number(all["end"]),
        line: number(all["line"]),
        place: undefined,
        object: undefined,
        core: false,
        wrong: false,
        step: undefined,
      };
    });
  const skipped = number(json["order_skipped"]) ?? 0;
  const order: number[] = [];
  for (const one of list(json["order"]).map(objectOf)) {
    const index = number(one["operation"]);
    const operation = index === undefined ? undefined : operations[index];
    if (!operation) continue;
    order.push(index!);
    operation.place = skipped + order.length;
    operation.object =
      one["object"] === null || one["object"] === undefined ? undefined : valueText(one["object"], 120);
  }
  for (const index of list(json["core"])) {
    const operation = typeof index === "number" ? operations[index] : undefined;
    if (operation) operation.core = true;
  }
  const stuck = operations[number(json["stuck"]) ?? -1];
  if (stuck) stuck.wrong = true;
  if (run) placeInRun(operations, run);
  return {
    operations,
    order,
    skipped,
    judged: true,
    subject: text(json["subject"]),
    specification: text(json["spec"]),
    coreProven: json["core_proven"] === true,
    sentences: list(json["sentences"]).map((one) => clean(text(one))),
    leftOut: number(json["left_out"]) ?? 0,
  };
}

/** The operations of a run's clients stand in the same order as in its trace. */
function placeInRun(operations: Operation[], run: Run): void {
  const spans = findSpans(run).operations;
  const byProcess = new Map<string, number[]>();
  for (const span of spans) {
    const name = run.laneName(span.lane);
    const all = byProcess.get(name);
    if (all) all.push(span.from);
    else byProcess.set(name, [span.from]);
  }
  for (const one of operations) one.step = byProcess.get(one.process)?.shift();
}

function fromTrace(run: Run): History | undefined {
  const spans = findSpans(run).operations;
  if (spans.length === 0) return undefined;
  const operations = spans.slice(0, mostOperations).map((span): Operation => ({
    process: run.laneName(span.lane),
    text: span.text ?? "",
    begin: 2 * span.from,
    end: span.to < 0 ? undefined : 2 * span.to + 1,
    line: undefined,
    place: undefined,
    object: undefined,
    core: false,
    wrong: false,
    step: span.from,
  }));
  return {
    operations,
    order: [],
    skipped: 0,
    sentences: [],
    judged: false,
    subject: "",
    specification: "",
    coreProven: false,
    leftOut: spans.length - operations.length,
  };
}

/**
 * Where the order puts its operations: as early as it allows, each within its interval and none before the one that
 * comes first.
 */
export function momentsOf(operations: readonly Operation[], placed: Placed): Float64Array {
  const out = new Float64Array(operations.length).fill(NaN);
  const ordered = operations
    .map((_, i) => i)
    .filter((i) => operations[i]!.place !== undefined)
    .sort((a, b) => operations[a]!.place! - operations[b]!.place!);
  let last = -Infinity;
  for (const i of ordered) {
    last = Math.min(Math.max(placed.left[i]! + 5, last + 2), Math.max(placed.right[i]! - 5, last));
    out[i] = last;
  }
  return out;
}

export interface Placed {
  rows: string[]; // processes
  row: Int32Array; // by operation
  left: Float64Array;
  right: Float64Array;
  width: number;
}

/**
 * Time to the right, in the order of events, stretched so that each interval has room for its text. Linear in the
 * events.
 */
export function placeOperations(operations: readonly Operation[], textWidth: (operation: Operation) => number): Placed {
  const rows: string[] = [];
  const rowOf = new Map<string, number>();
  const row = new Int32Array(operations.length);
  operations.forEach((one, i) => {
    let at = rowOf.get(one.process);
    if (at === undefined) {
      at = rows.push(one.process) - 1;
      rowOf.set(one.process, at);
    }
    row[i] = at;
  });
  const events: { at: number; operation: number; end: boolean }[] = [];
  operations.forEach((one, i) => {
    events.push({ at: one.begin, operation: i, end: false });
    if (one.end !== undefined) events.push({ at: one.end, operation: i, end: true });
  });
  events.sort((a, b) => a.at - b.at || Number(a.end) - Number(b.end));
  const left = new Float64Array(operations.length),
    right = new Float64Array(operations.length);
  const free = new Float64Array(rows.length); // where a row's last interval ended
  const gap = 13;
  let x = 0;
  for (const event of events) {
    const i = event.operation;
    x += gap;
    if (event.end) {
      x = Math.max(x, left[i]! + textWidth(operations[i]!));
      right[i] = x;
      free[row[i]!] = x;
    } else {
      x = Math.max(x, free[row[i]!]! + 6);
      left[i] = x;
    }
  }
  let width = x + 20;
  operations.forEach((one, i) => {
    if (one.end !== undefined) return;
    right[i] = Math.max(width, left[i]! + textWidth(one));
  });
  width = operations.reduce((most, _, i) => Math.max(most, right[i]!), width);
  operations.forEach((one, i) => {
    if (one.end === undefined) right[i] = width;
  });
  return { rows, row, left, right, width };
}
