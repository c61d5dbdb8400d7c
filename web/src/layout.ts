// Where everything of the space-time diagram is: one pass over steps and messages, linear in both.
//
// A row is a step, or a run of steps that is folded. Messages run on rails: down beside their sender, then across in the row where they
// are received. A rail belongs to one sending step and side; rails that overlap in time lie beside each other, up to five.

import type { Matching } from "./matching";
import type { Trace } from "./finding";

export type Density = "L" | "M" | "S" | "XS";

export interface Lanes {
  shown: number[];        // lanes, from left to right
  column: Int32Array;     // by lane: its place in `shown`, or -1
  x: Float64Array;        // by lane; NaN if it is not shown
  spacing: number;
  density: Density;
  width: number;          // of the drawing, step numbers included
  objects: Set<number>;   // lanes of abstract objects
}

export const numbersWidth = 56;

/** Returns the lanes that take part, in the order of the trace; abstract objects last. */
export function partakingLanes(trace: Trace): { lanes: number[]; objects: Set<number> } {
  const named = new Map(trace.lanes.map((lane, i) => [lane.name, i]));
  const used = new Set<number>();
  const objects = new Set<number>();
  // Programs have a lane for each thread that there could be.
  const ofAProgram = trace.steps.some((step) => step.place !== undefined);
  trace.lanes.forEach((lane, i) => {
    if (lane.role !== "" && !ofAProgram) used.add(i);
  });
  for (const step of trace.steps) {
    if (!isOfTheNetwork(step.kind)) used.add(step.lane);
    for (const one of step.operations) used.add(one.lane);
    for (const call of step.calls) {
      const lane = named.get(call.object);
      if (lane !== undefined) objects.add(lane);
    }
  }
  const lanes = trace.lanes.map((_, i) => i).filter((i) => used.has(i) && !objects.has(i));
  return { lanes: [...lanes, ...[...objects].sort((a, b) => a - b)], objects };
}

export function isOfTheNetwork(kind: string): boolean {
  return kind === "lose" || kind === "duplicate" || kind === "partition" || kind === "heal";
}

export function placeLanes(trace: Trace, shown: number[], objects: Set<number>, room: number): Lanes {
  const spacing = Math.min(200, (room - numbersWidth) / Math.max(shown.length, 1));
  const column = new Int32Array(trace.lanes.length).fill(-1);
  const x = new Float64Array(trace.lanes.length).fill(NaN);
  shown.forEach((lane, i) => {
    column[lane] = i;
    x[lane] = numbersWidth + spacing * (i + 0.5);
  });
  const density: Density = spacing >= 104 ? "L" : spacing >= 44 ? "M" : spacing >= 15 ? "S" : "XS";
  return { shown, column, x, spacing, density, width: numbersWidth + spacing * shown.length, objects };
}

// --- Rows.

export interface Row {
  first: number;  // step
  count: number;  // of steps
  folded: boolean;
}

export const subRow = 17;  // of each further message that a step receives, and of each call
const foldHeight = 24;

export interface Rows {
  list: Row[];
  top: Float64Array;      // of each row, and the end of the last one
  ofStep: Int32Array;     // the row of each step
  base: number;
}

const baseHeight: Record<Density, [number, number]> = { L: [38, 52], M: [30, 36], S: [26, 26], XS: [26, 26] };

/** Folds runs of steps for which `hides` is set, except those in `kept`, and runs whose first step is in `unfolded`. */
export function placeRows(trace: Trace, hides: Uint8Array, kept: ReadonlySet<number>, unfolded: ReadonlySet<number>, density: Density,
                          height: number): Rows {
  const list: Row[] = [];
  const ofStep = new Int32Array(trace.steps.length);
  const hidden = (step: number): boolean => step < trace.steps.length && hides[step] === 1 && !kept.has(step);
  for (let i = 0; i < trace.steps.length; ) {
    let end = i + 1;
    if (hidden(i)) while (hidden(end)) ++end;
    if (hidden(i) && !unfolded.has(i)) {
      ofStep.fill(list.length, i, end);
      list.push({ first: i, count: end - i, folded: true });
    } else {
      for (let step = i; step < end; ++step) {
        ofStep[step] = list.length;
        list.push({ first: step, count: 1, folded: false });
      }
    }
    i = end;
  }
  const extra = list.map((row) => (row.folded ? 0 : subRow * subRows(trace, row.first)));
  const [least, roomy] = baseHeight[density];
  const total = (base: number): number => list.reduce((sum, row, i) => sum + (row.folded ? foldHeight : base + extra[i]!), 0);
  const base = total(roomy) <= height ? roomy : least;
  const top = new Float64Array(list.length + 1);
  list.forEach((row, i) => {
    top[i + 1] = top[i]! + (row.folded ? foldHeight : base + extra[i]!);
  });
  return { list, top, ofStep, base };
}

/** Rows of 17 pixels that a step needs beyond its own: for the second, third, ... message, and for each call. */
export function subRows(trace: Trace, step: number): number {
  const one = trace.steps[step]!;
  return Math.max(one.received.length - 1, 0) + one.calls.length;
}

/** Where the n-th message of a step arrives. */
export function arrowY(rows: Rows, row: number, n: number): number {
  return rows.top[row]! + rows.base / 2 + n * subRow;
}

// --- Rails.

export interface Rail {
  step: number;   // that sends
  lane: number;   // beside which it runs
  side: -1 | 1;   // of its lane
  slot: number;
  last: number;   // row of the last receive
  first: number;  // row of the sending step
  receipts: { step: number; place: number; to: number }[]; // place: which of the messages that the step receives
}

export interface Rails {
  list: Rail[];
  ofBlock: number[][];   // rails that pass a block of rows
  ofStep: Map<number, Rail[]>;
  into: Map<string, Rail>; // "step place" of a receipt
}

export const block = 256;
const slots = 5;

/** REQUIRES: rows that are folded have no receipts of their own: arrows into a fold are not drawn, rails out of one begin at it. */
export function placeRails(matching: Matching, lanes: Lanes, rows: Rows): Rails {
  const byKey = new Map<string, Rail>();
  matching.received.forEach((all, step) => {
    const row = rows.list[rows.ofStep[step]!]!;
    if (row.folded) return;
    all.forEach((one, place) => {
      const { from, to } = one.message;
      if (one.from < 0 || lanes.column[from]! < 0 || lanes.column[to]! < 0) return;
      const side = lanes.column[to]! >= lanes.column[from]! ? 1 : -1;
      const key = `${one.from} ${side} ${from}`;
      let rail = byKey.get(key);
      if (!rail) {
        rail = { step: one.from, lane: from, side, slot: 0, first: rows.ofStep[one.from]!, last: 0, receipts: [] };
        byKey.set(key, rail);
      }
      rail.receipts.push({ step, place, to });
      rail.last = Math.max(rail.last, rows.ofStep[step]!);
    });
  });
  const list = [...byKey.values()].sort((a, b) => a.first - b.first);
  colour(list);
  const rails: Rails = { list, ofBlock: [], ofStep: new Map(), into: new Map() };
  list.forEach((rail, i) => {
    for (let b = Math.floor(rail.first / block); b <= Math.floor(rail.last / block); ++b) (rails.ofBlock[b] ??= []).push(i);
    const sent = rails.ofStep.get(rail.step);
    if (sent) sent.push(rail);
    else rails.ofStep.set(rail.step, [rail]);
    for (const one of rail.receipts) rails.into.set(`${one.step} ${one.place}`, rail);
  });
  return rails;
}

/** Greedy colouring of intervals: the lowest slot that is free; beyond the last one they share it. */
function colour(rails: Rail[]): void {
  const ends = new Map<string, number[]>();
  for (const rail of rails) {
    const key = `${rail.lane} ${rail.side}`;
    let used = ends.get(key);
    if (!used) ends.set(key, (used = []));
    let slot = 0;
    while (slot < slots - 1 && (used[slot] ?? -1) >= rail.first) ++slot;
    rail.slot = slot;
    used[slot] = Math.max(used[slot] ?? -1, rail.last);
  }
}

export function railX(lanes: Lanes, rail: Rail): number {
  const [near, apart] = lanes.density === "L" ? [9, 6] : lanes.density === "M" ? [6, 4] : [3, 1.5];
  return lanes.x[rail.lane]! + rail.side * (near + apart * rail.slot);
}
