// The values of all fields through the run. No state is stored for a step: each field has the steps that changed it and
// its values after them, so that memory is linear in the changes, and a value at a step is a binary search.

import { bisectRight } from "d3-array";
import type { Trace } from "./finding";
import type { Json } from "./values";

export const atTheBeginning = -1;

export class Field {
  readonly steps: number[] = []; // ascending; the first may be atTheBeginning
  readonly values: Json[] = [];

  constructor(
    readonly lane: number,
    readonly name: string,
  ) {}

  get key(): string {
    return fieldKey(this.lane, this.name);
  }
  /** How often it changed in the run. */
  get changed(): number {
    return this.steps.length - (this.steps[0] === atTheBeginning ? 1 : 0);
  }
  /** The position of the value that is in force after a step; -1 if it is not known. */
  private position(step: number): number {
    return bisectRight(this.steps, step) - 1;
  }
  after(step: number): Json | undefined {
    return this.values[this.position(step)];
  }
  before(step: number): Json | undefined {
    return this.after(step - 1);
  }
  /** The step that set the value in force after `step`; atTheBeginning if none did. */
  setBy(step: number): number {
    return this.steps[this.position(step)] ?? atTheBeginning;
  }
}

export function fieldKey(lane: number, name: string): string {
  return `${lane} ${name}`;
}

export class Fields {
  readonly all = new Map<string, Field>();
  readonly ofLane: Field[][];

  constructor(trace: Trace) {
    this.ofLane = trace.lanes.map(() => []);
    for (const one of trace.initial) this.set(one.lane, one.name, atTheBeginning, one.value);
    trace.steps.forEach((step, i) => {
      for (const diff of step.diffs) {
        const field = this.field(diff.lane, diff.name);
        // A field that nobody mentioned at the beginning had the value that its first change tells.
        if (field.steps.length === 0) this.set(diff.lane, diff.name, atTheBeginning, diff.before);
        this.set(diff.lane, diff.name, i, diff.after);
      }
    });
  }

  private field(lane: number, name: string): Field {
    const key = fieldKey(lane, name);
    let field = this.all.get(key);
    if (!field) {
      field = new Field(lane, name);
      this.all.set(key, field);
      this.ofLane[lane]!.push(field);
    }
    return field;
  }

  private set(lane: number, name: string, step: number, value: Json): void {
    const field = this.field(lane, name);
    if (field.steps[field.steps.length - 1] === step) {
      field.values[field.values.length - 1] = value; // changed twice in one step
      return;
    }
    field.steps.push(step);
    field.values.push(value);
  }
}
