// Where everything of the space-time diagram is: one pass over steps and messages, linear in both.
//
// A row is a step, or a run of steps that is folded. Messages run on rails: down beside their sender, then across in
// the row where they are received. A rail belongs to one sending step and side; rails that overlap in time lie beside
// each other, up to five.

import type { Matching } from "./matching";
import type { Trace } from "./finding";

export type Density = "L" | "M" | "S" | "XS";

export interface Lanes {
  shown: number[]; // lanes, from left to right
  column: Int32Array; // by lane: its place in `shown`, or -1
  x: Float64Array; // by lane; NaN if it is not shown
  spacing: number;
  density: Density;
  width: number; // of the drawing, step numbers included
  objects: Set<number>; // lanes of abstract objects
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
  first: number; // step
  count: number; // of steps
  folded: boolean;
}

export const subRow = 17; // of each further message that a step receives, and of each call
const foldHeight = 24;

export interface Rows {
  list: Row[];
  top: Float64Array; // of each row, and the end of the last one
  ofStep: Int32Array; // the row of each step
  base: number;
}

const baseHeight: Record<Density, [number, number]> = { L: [38, 52], M: [30, 36], S: [26, 26], XS: [26, 26] };

/** Folds runs of steps for which `hides` is set, except those in `kept`, and runs whose first step is in `unfolded`. */
export function placeRows(
  trace: Trace,
  hides: Uint8Array,
  kept: ReadonlySet<number>,
  unfolded: ReadonlySet<number>,
  density: Density,
  height: number,
): Rows {
  const list: Row[] = [];
  const ofStep = new Int32Array(trace.steps.length);
  const hidden = (step: number): boolean => step < trace.steps.length && hides[step] === 1 && !kept.has(step);
  for (let i = 0; i < trace.steps.length;) {
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
  const [least, roomy] = baseHeight[density];
  const top = new Float64Array(list.length + 1);
  const stack = (base: number): number => {
    list.forEach((row, i) => {
      top[i + 1] = top[i]! + (row.folded ? foldHeight : base + subRow * subRows(trace, row.first));
    });
    return top[list.length]!;
  };
  let base = roomy;
  if (stack(roomy) > height) {
    base = least;
    stack(least);
  }
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

/** Columns of numbers, one entry a rail: objects would cost ten times as much for a run of 100,000 steps. */
export interface Rails {
  count: number;
  step: Int32Array; // that sends
  lane: Int32Array; // beside which it runs
  side: Int8Array; // of its lane: -1 or 1
  slot: Uint8Array;
  first: Int32Array; // row of the sending step
  last: Int32Array; // row of the last receive
  lastPlace: Int32Array; // which of its messages that is
  into: Int32Array; // the rail of each message that is received, or -1
  offset: Int32Array; // where the messages of a step begin in `into`
  ofBlock: number[][]; // rails that pass a block of rows
}

export const block = 256;
const slots = 5;

/** Arrows into a fold are not drawn; rails out of one begin at it. */
export function placeRails(matching: Matching, lanes: Lanes, rows: Rows): Rails {
  const steps = matching.received.length;
  const offset = new Int32Array(steps + 1);
  for (let step = 0; step < steps; ++step) offset[step + 1] = offset[step]! + matching.received[step]!.length;
  const most = offset[steps]!;
  const numbers = (): Int32Array => new Int32Array(most);
  const rails: Rails = {
    count: 0,
    step: numbers(),
    lane: numbers(),
    side: new Int8Array(most),
    slot: new Uint8Array(most),
    first: numbers(),
    last: numbers(),
    lastPlace: numbers(),
    into: numbers().fill(-1),
    offset,
    ofBlock: [],
  };
  const latest = new Int32Array(steps).fill(-1),
    before = numbers(); // the rails of a sending step, as a chain
  for (let step = 0; step < steps; ++step) {
    const row = rows.ofStep[step]!;
    if (rows.list[row]!.folded) continue;
    matching.received[step]!.forEach((one, place) => {
      const { from, to } = one.message;
      if (one.from < 0 || lanes.column[from]! < 0 || lanes.column[to]! < 0) return;
      const side = lanes.column[to]! >= lanes.column[from]! ? 1 : -1;
      let rail = latest[one.from]!;
      while (rail >= 0 && (rails.side[rail] !== side || rails.lane[rail] !== from)) rail = before[rail]!;
      if (rail < 0) {
        rail = rails.count++;
        before[rail] = latest[one.from]!;
        latest[one.from] = rail;
        rails.step[rail] = one.from;
        rails.lane[rail] = from;
        rails.side[rail] = side;
        rails.first[rail] = rows.ofStep[one.from]!;
      }
      rails.last[rail] = row; // steps come in their order
      rails.lastPlace[rail] = place;
      rails.into[offset[step]! + place] = rail;
    });
  }
  colour(rails);
  for (let rail = 0; rail < rails.count; ++rail) {
    for (let b = Math.floor(rails.first[rail]! / block); b <= Math.floor(rails.last[rail]! / block); ++b)
      (rails.ofBlock[b] ??= []).push(rail);
  }
  return rails;
}

/**
 * Greedy colouring of intervals by their beginnings: the lowest slot that is free; beyond the last one they share it.
 */
function colour(rails: Rails): void {
  const order = new Float64Array(rails.count);
  for (let rail = 0; rail < rails.count; ++rail) order[rail] = rails.first[rail]! * rails.count + rail;
  order.sort();
  const ends: Int32Array[] = []; // by lane and side: the last row in which each slot is used
  for (const one of order) {
    const rail = one % rails.count;
    const used = (ends[2 * rails.lane[rail]! + (rails.side[rail]! > 0 ? 1 : 0)] ??= new Int32Array(slots).fill(-1));
    let slot = 0;
    while (slot < slots - 1 && used[slot]! >= rails.first[rail]!) ++slot;
    rails.slot[rail] = slot;
    used[slot] = Math.max(used[slot]!, rails.last[rail]!);
  }
}

export function railX(lanes: Lanes, rails: Rails, rail: number): number {
  const [near, apart] = lanes.density === "L" ? [9, 6] : lanes.density === "M" ? [6, 4] : [3, 1.5];
  return lanes.x[rails.lane[rail]!]! + rails.side[rail]! * (near + apart * rails.slot[rail]!);
}
