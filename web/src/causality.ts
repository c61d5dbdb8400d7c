// What can have had an influence on what: the order of Lamport (1978), from messages and from the order of steps of one process.

import { atTheBeginning, type Fields } from "./fields";
import type { Matching } from "./matching";
import type { Trace } from "./finding";

export class Causality {
  private readonly previous: Int32Array; // the step before of the same process, or -1

  constructor(private readonly trace: Trace, private readonly matching: Matching) {
    this.previous = new Int32Array(trace.steps.length);
    const last = new Map<string, number>();
    trace.steps.forEach((step, i) => {
      const process = trace.lanes[step.lane]!.process;
      this.previous[i] = last.get(process) ?? -1;
      last.set(process, i);
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
 * The steps that do not matter for a violation: outside of the causal past of those that set what the property read. Faults matter by
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
