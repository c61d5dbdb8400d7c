// Reads the finding that a page holds. A page may have been written by anybody: whatever is not of the shape that the
// formats promise is an error in words, and what is too large to show is cut and said to be.

import { digitsMark, isObject, type Json, type JsonObject } from "./values";
import { clean, counted, longestName } from "./text";
import type {
  Access,
  Call,
  Diff,
  Finding,
  Lane,
  Message,
  Operation,
  Place,
  Source,
  Step,
  Trace,
  Value,
} from "./finding";

export class NotAFinding extends Error {}

export const mostSteps = 100_000;
const mostLanes = 2_000;

/** From base64 to text: what `packed` in src/report/page.cpp has done, backwards. */
export async function unpack(base64: string): Promise<string> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    const binary = atob(base64.trim());
    bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  } catch {
    throw new NotAFinding("This page is damaged: what it holds is not base64. Write it again with `heddle report`.");
  }
  if (typeof DecompressionStream === "undefined") {
    throw new NotAFinding("This browser is too old for the page. Use Chromium 103, Firefox 113, Safari 16.4 or newer.");
  }
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return await new Response(stream).text();
  } catch {
    throw new NotAFinding(
      "This page is damaged: what it holds cannot be unpacked. Write it again with `heddle report`.",
    );
  }
}

/** JavaScript's numbers lose digits from 2^53 on; such integers become strings that begin with a mark. */
export function keepDigits(text: string): string {
  if (!/\d{16}/.test(text)) return text;
  const token = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;
  return text.replace(token, (found) => (found.startsWith('"') ? found : `"\\u0001${found}"`));
}

export function decode(text: string): Finding {
  return findingOf(parse(text));
}

export function parse(text: string): Json {
  try {
    return JSON.parse(keepDigits(text)) as Json;
  } catch (error) {
    throw new NotAFinding(`This page is damaged: what it holds is not JSON (${clean(String(error)).slice(0, 200)}).`);
  }
}

export function findingOf(json: Json): Finding {
  return new Decoder().finding(json);
}

class Decoder {
  private cutNames = 0;
  private lanes = 0;

  finding(json: Json): Finding {
    const all = this.object(json, "the finding");
    if (all["format"] !== "heddle-report")
      throw new NotAFinding("This page is damaged: what it holds is not a finding of Heddle.");
    if (typeof all["version"] !== "number" || all["version"] > 1) {
      throw new NotAFinding(
        "This finding was written by a newer Heddle than the page. Write the page again with that one.",
      );
    }
    const leftOut = this.list(all["left_out"], "left_out").map((one) => this.text(one, "left_out"));
    const trace = all["trace"] == null ? undefined : this.trace(all["trace"]);
    let stepsBefore = typeof all["steps_before"] === "number" ? all["steps_before"] : 0;
    if (trace && trace.steps.length > mostSteps) {
      const more = trace.steps.length - mostSteps;
      leftOut.push(
        `The run has ${counted(trace.steps.length, "step")}. Only the last ${counted(mostSteps, "step")} are shown.`,
      );
      forgetSteps(trace, more);
      stepsBefore += more;
    }
    if (this.cutNames > 0) {
      leftOut.push(
        `${counted(this.cutNames, "name")} of more than ${longestName} characters ${this.cutNames === 1 ? "is" : "are"} cut.`,
      );
    }
    const run = all["run"] == null ? undefined : this.object(all["run"], "run");
    if (!trace && !run) throw new NotAFinding("This page holds neither a trace nor a run.");
    return {
      trace,
      run,
      leftOut,
      stepsBefore,
      sources: this.list(all["sources"], "sources").map((one, i) => this.source(one, `sources[${i}]`)),
      command: this.text(all["command"] ?? "", "command", 4_000),
      version: this.text(all["heddle"] ?? "", "heddle"),
    };
  }

  private trace(json: Json): Trace {
    const all = this.object(json, "trace");
    if (all["format"] !== "heddle-trace")
      throw new NotAFinding("The finding's trace does not say that it is one (format).");
    const lanes = this.list(all["lanes"], "lanes").map((one, i) => this.lane(one, `lanes[${i}]`));
    if (lanes.length > mostLanes)
      throw new NotAFinding(`The trace has ${counted(lanes.length, "lane")}; a page shows at most ${mostLanes}.`);
    this.lanes = lanes.length;
    return {
      lanes,
      model: this.text(all["model"] ?? "", "model"),
      parameters: this.object(all["parameters"] ?? {}, "parameters"),
      bug: this.text(all["bug"] ?? "", "bug"),
      options: this.object(all["options"] ?? {}, "options"),
      initial: this.values(all["initial"], "initial"),
      steps: this.list(all["steps"], "steps").map((one, i) => this.step(one, `steps[${i}]`)),
      verdict: this.text(all["verdict"] ?? "unknown", "verdict"),
      property: this.text(all["property"] ?? "", "property"),
      explanation: this.values(all["explanation"], "explanation"),
    };
  }

  private lane(json: Json, at: string): Lane {
    const all = this.object(json, at);
    const name = this.text(all["name"], `${at}.name`);
    return {
      name,
      role: this.text(all["role"] ?? "", `${at}.role`),
      process: this.text(all["process"] ?? name, `${at}.process`),
    };
  }

  private values(json: Json | undefined, at: string): Value[] {
    return this.list(json, at).map((one, i) => {
      const all = this.object(one, `${at}[${i}]`);
      return {
        lane: this.laneNumber(all["lane"], `${at}[${i}].lane`),
        name: this.text(all["name"] ?? "", at),
        value: all["value"] ?? null,
      };
    });
  }

  private step(json: Json, at: string): Step {
    const all = this.object(json, at);
    const some = <T>(key: string, read: (one: Json, at: string) => T): T[] => {
      const list = all[key];
      return list === undefined ? [] : this.list(list, `${at}.${key}`).map((one, i) => read(one, `${at}.${key}[${i}]`));
    };
    return {
      lane: this.laneNumber(all["lane"], `${at}.lane`),
      name: this.text(all["name"], `${at}.name`),
      kind: this.text(all["kind"] ?? "step", `${at}.kind`),
      choice: some("choice", (one) => one),
      received: some("received", (one, where) => this.message(one, where)),
      sent: some("sent", (one, where) => this.message(one, where)),
      operations: some("operations", (one, where) => this.operation(one, where)),
      calls: some("calls", (one, where) => this.call(one, where)),
      diffs: some("diffs", (one, where) => this.diff(one, where)),
      place: all["place"] === undefined ? undefined : this.place(all["place"], `${at}.place`),
      // Operations say that a call begins or ends.
      accesses: some("accesses", (one, where) => this.access(one, where)).filter(
        (one) => one.kind !== "call" && one.kind !== "return",
      ),
      output: this.text(all["output"] ?? "", `${at}.output`, 4_000),
    };
  }

  private message(json: Json, at: string): Message {
    const all = this.object(json, at);
    return {
      type: this.text(all["type"], `${at}.type`),
      body: all["body"] ?? {},
      from: this.laneNumber(all["from"], `${at}.from`),
      to: this.laneNumber(all["to"], `${at}.to`),
    };
  }

  private operation(json: Json, at: string): Operation {
    const all = this.object(json, at);
    return {
      kind: all["kind"] === "return" ? "return" : "invoke",
      lane: this.laneNumber(all["lane"], `${at}.lane`),
      value: all["value"] ?? null,
    };
  }

  private call(json: Json, at: string): Call {
    const all = this.object(json, at);
    const part = (key: string): string => this.text(all[key], `${at}.${key}`);
    return { object: part("object"), call: part("call"), answer: part("answer") };
  }

  private diff(json: Json, at: string): Diff {
    const all = this.object(json, at);
    return {
      lane: this.laneNumber(all["lane"], `${at}.lane`),
      name: this.text(all["name"] ?? "", `${at}.name`),
      before: all["before"] ?? null,
      after: all["after"] ?? null,
    };
  }

  private place(json: Json, at: string): Place {
    const all = this.object(json, at);
    const line = all["line"];
    return {
      file: this.text(all["file"] ?? "", `${at}.file`),
      line: typeof line === "number" ? line : 0,
      function: this.text(all["function"] ?? "", `${at}.function`),
    };
  }

  private access(json: Json, at: string): Access {
    const all = this.object(json, at);
    return {
      object: this.text(all["object"], `${at}.object`),
      part: this.text(all["part"] ?? "", `${at}.part`),
      kind: this.text(all["kind"], `${at}.kind`),
      before: all["before"],
      after: all["after"],
      place: all["place"] === undefined ? undefined : this.place(all["place"], `${at}.place`),
    };
  }

  private source(json: Json, at: string): Source {
    const all = this.object(json, at);
    return {
      file: this.text(all["file"], `${at}.file`),
      first: typeof all["first"] === "number" ? all["first"] : 1,
      lines: this.list(all["lines"], `${at}.lines`).map((one) => this.text(one, `${at}.lines`, 1_000)),
    };
  }

  private laneNumber(json: Json | undefined, at: string): number {
    if (typeof json === "number" && Number.isInteger(json) && json >= 0 && json < this.lanes) return json;
    throw new NotAFinding(
      `The trace is damaged: ${at} is ${shown(json)}, and the trace has ${counted(this.lanes, "lane")}, numbered from 0.`,
    );
  }

  private text(json: Json | undefined, at: string, most = longestName): string {
    if (json === null) return "";
    if (typeof json !== "string")
      throw new NotAFinding(`The finding is damaged: ${at} should be a text, but is ${shown(json)}.`);
    if (json.length <= most) return clean(json);
    if (most === longestName) ++this.cutNames;
    return clean(json.slice(0, most - 1)) + "…";
  }

  private list(json: Json | undefined, at: string): Json[] {
    if (json === undefined) return [];
    if (Array.isArray(json)) return json;
    throw new NotAFinding(`The finding is damaged: ${at} should be a list, but is ${shown(json)}.`);
  }

  private object(json: Json | undefined, at: string): JsonObject {
    if (isObject(json)) return json;
    throw new NotAFinding(`The finding is damaged: ${at} should be an object, but is ${shown(json)}.`);
  }
}

function shown(json: Json | undefined): string {
  return json === undefined ? "missing" : clean((JSON.stringify(json) ?? "").slice(0, 40));
}

/** Takes the first steps away; what they changed goes into the values at the beginning. */
function forgetSteps(trace: Trace, count: number): void {
  const places = new Map(trace.initial.map((one) => [`${one.lane} ${one.name}`, one]));
  for (const step of trace.steps.slice(0, count)) {
    for (const diff of step.diffs) {
      const key = `${diff.lane} ${diff.name}`;
      let place = places.get(key);
      if (!place) {
        place = { lane: diff.lane, name: diff.name, value: diff.after };
        places.set(key, place);
        trace.initial.push(place);
      }
      place.value = diff.after;
    }
  }
  trace.steps.splice(0, count);
}

export { digitsMark };
