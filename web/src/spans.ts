// What lasts over several steps of a run: crashes, partitions, operations of clients. One pass over the steps.

import type { Run } from "./run";
import { valueText } from "./values";

export interface Spans {
  down: Span[]; // of crashed processes
  sides: Span[]; // of partitions; `lane` is on the side
  operations: Span[]; // of clients
}
export interface Span {
  lane: number;
  from: number; // steps
  to: number; // -1: up to the end
  side?: 0 | 1;
  text?: string;
}

export function findSpans(run: Run): Spans {
  const spans: Spans = { down: [], sides: [], operations: [] };
  const down = new Map<number, Span>();
  const open = new Map<number, Span[]>();
  let split: Span[] = [];
  const named = new Map(run.trace.lanes.map((lane, i) => [lane.name, i]));
  run.trace.steps.forEach((step, i) => {
    if (step.kind === "crash" || step.kind === "recover") {
      const { process } = run.trace.lanes[step.lane]!;
      run.trace.lanes.forEach((lane, at) => {
        if (lane.process !== process) return;
        if (step.kind === "crash" && !down.has(at)) {
          const span: Span = { lane: at, from: i, to: -1 };
          down.set(at, span);
          spans.down.push(span);
        } else if (step.kind === "recover") {
          const span = down.get(at);
          if (span) span.to = i;
          down.delete(at);
        }
      });
    }
    if (step.kind === "partition" || step.kind === "heal") {
      for (const span of split) span.to = i;
      split = [];
    }
    if (step.kind === "partition") {
      run.sides(i).forEach((names, side) => {
        for (const name of names) {
          const lane = named.get(name);
          if (lane !== undefined) split.push({ lane, from: i, to: -1, side: side === 0 ? 0 : 1 });
        }
      });
      spans.sides.push(...split);
    }
    for (const operation of step.operations) {
      let stack = open.get(operation.lane);
      if (!stack) open.set(operation.lane, (stack = []));
      if (operation.kind === "invoke") {
        const span: Span = { lane: operation.lane, from: i, to: -1, text: valueText(operation.value, 80) };
        stack.push(span);
        spans.operations.push(span);
      } else {
        const span = stack.shift();
        if (span) {
          span.to = i;
          span.text += ` → ${valueText(operation.value, 40)}`;
        }
      }
    }
  });
  return spans;
}
