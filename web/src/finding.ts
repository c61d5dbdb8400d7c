// What a page shows, as plain data with checked types. docs/trace-format.md and docs/json.md say what the members mean.

import type { Json, JsonObject } from "./values";

export interface Lane {
  name: string;
  role: string;
  process: string;
}

export interface Value {
  lane: number;
  name: string; // empty: the whole lane
  value: Json;
}

export interface Diff {
  lane: number;
  name: string;
  before: Json;
  after: Json;
}

export interface Message {
  type: string;
  from: number;
  to: number;
  body: Json;
}

export interface Operation {
  kind: "invoke" | "return";
  lane: number;
  value: Json;
}

export interface Call {
  object: string;
  call: string;
  answer: string;
}

export interface Place {
  file: string;
  line: number; // 0: not known
  function: string;
}

export interface Access {
  object: string;
  part: string;
  kind: string;
  before: Json | undefined;
  after: Json | undefined;
  place: Place | undefined;
}

export interface Step {
  lane: number;
  name: string;
  kind: string;
  choice: Json[];
  received: Message[];
  sent: Message[];
  operations: Operation[];
  calls: Call[];
  diffs: Diff[];
  place: Place | undefined;
  accesses: Access[];
  output: string;
}

export interface Trace {
  model: string;
  parameters: JsonObject;
  bug: string;
  options: JsonObject;
  lanes: Lane[];
  initial: Value[];
  steps: Step[];
  verdict: string;
  property: string;
  explanation: Value[];
}

export interface Source {
  file: string;
  first: number;
  lines: string[];
}

export interface Finding {
  trace: Trace | undefined;
  run: JsonObject | undefined;
  sources: Source[];
  command: string;
  version: string;
  stepsBefore: number; // steps that are not in the page: the number of the first one is one more
  leftOut: string[]; // sentences
}
