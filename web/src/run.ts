// All that is derived once from a trace: who sent what, the values through time, what matters, what a step says in
// words.

import { Causality, isFault, unrelated } from "./causality";
import { Fields, fieldKey } from "./fields";
import type { Step, Trace } from "./finding";
import { isOfTheNetwork, partakingLanes } from "./layout";
import { match, type Matching } from "./matching";
import { changes, messageText, simple, valueText, type Json } from "./values";

export interface ShownChange {
  name: string; // field and path: "log[0].term"; that of another lane with its name before it
  key: string; // of the field
  before: string | undefined;
  after: string | undefined;
}

export class Run {
  readonly matching: Matching;
  readonly fields: Fields;
  readonly causality: Causality;
  readonly lanes: number[];
  readonly objects: Set<number>;
  readonly unrelated: Uint8Array;
  readonly unrelatedCount: number;
  /** The fields that the property read, by key. */
  readonly read = new Set<string>();

  constructor(
    readonly trace: Trace,
    readonly firstNumber: number,
  ) {
    this.matching = match(trace);
    this.fields = new Fields(trace);
    this.causality = new Causality(trace, this.matching);
    ({ lanes: this.lanes, objects: this.objects } = partakingLanes(trace));
    this.unrelated = unrelated(trace, this.fields, this.causality);
    this.unrelatedCount = this.unrelated.reduce((sum, one) => sum + one, 0);
    for (const one of trace.explanation) {
      for (const field of this.fields.ofLane[one.lane] ?? []) {
        if (one.name === "" || one.name === field.name) this.read.add(field.key);
      }
    }
  }

  get last(): number {
    return this.trace.steps.length - 1;
  }
  get violated(): boolean {
    return this.trace.verdict === "violated";
  }
  /** The number that people see. */
  number(step: number): number {
    return step + 1 + this.firstNumber;
  }
  step(step: number): Step {
    return this.trace.steps[step]!;
  }
  laneName(lane: number): string {
    return this.trace.lanes[lane]!.name;
  }

  /** Inboxes and channels repeat what messages say. */
  isInbox(name: string): boolean {
    return name === "inbox";
  }

  changes(step: number): ShownChange[] {
    const out: ShownChange[] = [];
    const { lane, diffs, calls } = this.step(step);
    for (const diff of diffs) {
      if (
        this.isInbox(diff.name) ||
        (this.trace.lanes[diff.lane]!.role === "" && diff.lane !== lane && !this.objects.has(diff.lane))
      )
        continue;
      if (this.objects.has(diff.lane) && calls.length > 0) continue;
      const owner = diff.lane === lane ? "" : `${this.laneName(diff.lane)} `;
      for (const one of changes(diff.before, diff.after)) {
        const joint = one.path === "" || one.path.startsWith("[") || diff.name === "" ? "" : ".";
        out.push({
          name: `${owner}${diff.name}${joint}${one.path}`.trim(),
          key: fieldKey(diff.lane, diff.name),
          before: one.before === undefined ? undefined : valueText(one.before),
          after: one.after === undefined ? undefined : valueText(one.after),
        });
      }
    }
    return out;
  }

  /** What a fault did, in words; empty for other steps. */
  faultText(step: number): string {
    const one = this.step(step);
    const name = this.laneName(one.lane);
    const message = one.received[0];
    const carried = message
      ? `${messageText(message.type, message.body, 60)} ${this.laneName(message.from)} → ${this.laneName(message.to)}`
      : "";
    switch (one.kind) {
      case "lose":
        return `lost ${carried}`.trim();
      case "duplicate":
        return `duplicated ${carried}`.trim();
      case "partition":
        return `partition ${this.sides(step)
          .map((side, i) => `${i === 0 ? "A" : "B"}: ${side.join(", ")}`)
          .join(" | ")}`;
      case "heal":
        return "heal all processes can talk again";
      case "crash":
        return `crash of ${name}${one.name && one.name !== "crash" ? ` in ${one.name}: the handler ran in part` : ""}`;
      case "recover":
        return `recovery of ${name}`;
      default:
        return "";
    }
  }

  /** The names on the two sides of a partition. */
  sides(step: number): string[][] {
    return this.step(step).choice.map((side) => {
      const names = typeof side === "string" ? side.split(", ") : Array.isArray(side) ? side : [];
      return names.map((one) => (typeof one === "string" ? one : valueText(one, 40)));
    });
  }

  /** One sentence, for those who hear the page, for copies and for search. */
  sentence(step: number): string {
    const one = this.step(step);
    const parts: string[] = [];
    if (isFault(one.kind) && one.kind !== "byzantine") parts.push(this.faultText(step));
    else parts.push(`${this.laneName(one.lane)} ${one.name}${one.kind === "step" ? "" : ` (${one.kind})`}`);
    for (const operation of one.operations)
      parts.push(`${operation.kind === "invoke" ? "calls" : "returns"} ${valueText(operation.value, 80)}`);
    if (!isOfTheNetwork(one.kind)) {
      for (const { message } of this.matching.received[step]!.slice(0, 20)) {
        parts.push(`receives ${messageText(message.type, message.body, 80)} from ${this.laneName(message.from)}`);
      }
    }
    for (const { message } of this.matching.sent[step]!.slice(0, 20)) {
      parts.push(`sends ${messageText(message.type, message.body, 80)} to ${this.laneName(message.to)}`);
    }
    for (const call of one.calls) parts.push(`${call.object}: ${call.call} ${call.answer}`);
    for (const change of this.changes(step).slice(0, 12)) parts.push(changeText(change));
    for (const access of one.accesses.slice(0, 12))
      parts.push(accessText(access.kind, access.object + access.part, access.before, access.after));
    if (one.output) parts.push(`prints ${one.output}`);
    if (this.violated && step === this.last) parts.push(`the property ${this.trace.property} is false after it`);
    return `Step ${this.number(step)}: ${parts.join(", ")}`;
  }
}

export function changeText(change: ShownChange): string {
  if (change.before === undefined) return `${change.name} + ${change.after}`;
  if (change.after === undefined) return `${change.name} - ${change.before}`;
  return `${change.name} ${change.before} → ${change.after}`;
}

export function accessText(kind: string, object: string, before: Json | undefined, after: Json | undefined): string {
  if (/write/.test(kind)) return `${kind} ${object}${after === undefined ? "" : ` ← ${valueText(simple(after), 60)}`}`;
  return `${kind} ${object}${before === undefined ? "" : ` = ${valueText(simple(before), 60)}`}`;
}
