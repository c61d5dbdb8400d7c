// What can have had an influence on what: the order of Lamport (1978), from messages and from the order of steps of one
// process. Threads influence each other by what they share: a step comes after the last one that wrote what it touches,
// and a write also after the reads before it.

import { atTheBeginning, type Fields } from "./fields";
import type { Matching } from "./matching";
import type { Trace } from "./finding";

export class Causality {
  private readonly previous: Int32Array; // the step before of the same process, or -1
  private readonly shared = new Map<number, number[]>(); // steps that a step follows because of what both touch

  constructor(
    private readonly trace: Trace,
    private readonly matching: Matching,
  ) {
    this.previous = new Int32Array(trace.steps.length);
    const last = new Map<string, number>();
    trace.steps.forEach((step, i) => {
      const process = trace.lanes[step.lane]!.process;
      this.previous[i] = last.get(process) ?? -1;
      last.set(process, i);
    });
    this.followAccesses();
  }

  private followAccesses(): void {
    const objects = new Map<string, { written: number; read: number[] }>();
    const ends = new Map<string, number>(); // the last step of each lane
    const started = new Map<string, number>();
    this.trace.steps.forEach((step, i) => {
      const after = new Set<number>();
      const name = this.trace.lanes[step.lane]!.name;
      const start = started.get(name);
      if (start !== undefined) after.add(start);
      started.delete(name);
      for (const access of step.accesses) {
        if (access.kind === "start") started.set(access.object, i);
        if (access.kind === "join" && ends.has(access.object)) after.add(ends.get(access.object)!);
        if (access.kind === "start" || access.kind === "join") continue;
        // Of an object of the heap all parts count as one: parts of different sizes may overlap.
        let object = objects.get(access.object);
        if (!object) objects.set(access.object, (object = { written: -1, read: [] }));
        if (object.written >= 0) after.add(object.written);
        if (/read/.test(access.kind)) {
          object.read.push(i);
        } else {
          for (const reader of object.read) after.add(reader);
          object.written = i;
          object.read = [];
        }
      }
      ends.set(name, i);
      after.delete(i);
      if (after.size > 0) this.shared.set(i, [...after]);
    });
  }

  /** Marks the steps that lie before the given ones, and these. */
  past(of: Iterable<number>): Uint8Array {
    const marked = new Uint8Array(this.trace.steps.length);
    const open = [...of].filter((step) => step >= 0);
    for (const step of open) marked[step] = 1;
    while (open.length > 0) {
      const step = open.pop()!;
      const visit = (next: number): void => {
        if (next < 0 || marked[next]) return;
        marked[next] = 1;
        open.push(next);
      };
      visit(this.previous[step]!);
      for (const one of this.matching.received[step]!) visit(one.from);
      for (const one of this.shared.get(step) ?? []) visit(one);
    }
    return marked;
  }
}

const faults = new Set(["crash", "recover", "lose", "duplicate", "partition", "heal", "byzantine"]);

export function isFault(kind: string): boolean {
  return faults.has(kind);
}

/** The steps that last set the values which the property read. */
export function decisiveSteps(trace: Trace, fields: Fields): number[] {
  const end = trace.steps.length;
  const out = new Set<number>(end > 0 ? [end - 1] : []);
  for (const one of trace.explanation) {
    for (const field of fields.ofLane[one.lane] ?? []) {
      if (one.name !== "" && field.name !== one.name) continue;
      const step = field.setBy(end);
      if (step !== atTheBeginning) out.add(step);
    }
  }
  return [...out];
}

/**
 * The steps that do not matter for a violation: outside of the causal past of those that set what the property read.
 * Faults matter by
 * what did not arrive, operations by real time, and calls on an abstract object by their order: they always count.
 */
export function unrelated(trace: Trace, fields: Fields, causality: Causality): Uint8Array {
  const out = new Uint8Array(trace.steps.length);
  if (trace.verdict !== "violated") return out;
  const related = causality.past(decisiveSteps(trace, fields));
  trace.steps.forEach((step, i) => {
    const counts = related[i] || isFault(step.kind) || step.operations.length > 0 || step.calls.length > 0;
    out[i] = counts ? 0 : 1;
  });
  return out;
}
