// The head of the page: the verdict, what is false and since which step, the values that the property read, what was
// covered, and the command that gives it again.

import { atTheBeginning } from "./fields";
import type { Finding } from "./finding";
import { h } from "./dom";
import type { Run } from "./run";
import { clip, counted, grouped, listed } from "./text";
import { isObject, valueText, type Json, type JsonObject } from "./values";

const marks: Record<string, string> = { violated: "✗", holds: "✓", unknown: "?", error: "!" };

export function verdictOf(finding: Finding): string {
  const verdict = text(finding.run?.["verdict"]) || finding.trace?.verdict || "unknown";
  return verdict in marks ? verdict : "unknown";
}

/** A run that the reader makes in the explorer, where nothing is false yet. */
function isExplored(finding: Finding): boolean {
  return !finding.run && verdictOf(finding) === "unknown" && finding.command.startsWith("heddle explore");
}

export function propertyOf(finding: Finding): string {
  return text(finding.run?.["property"]) || finding.trace?.property || "";
}

export function modelOf(finding: Finding): string {
  const { trace, run } = finding;
  const bug = trace?.bug || text(run?.["bug"]);
  return [trace?.model || text(run?.["model"]), bug && `bug ${bug}`].filter(Boolean).join(" · ");
}

/** "acceptors=3, network=fifo". */
export function settingsOf(finding: Finding): string {
  const { trace, run } = finding;
  const all = {
    ...(trace?.parameters ?? objectOf(run?.["parameters"])),
    ...(trace?.options ?? objectOf(run?.["options"])),
  };
  return Object.entries(all)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : valueText(value, 40)}`)
    .join(", ");
}

export function badge(finding: Finding): HTMLElement {
  const verdict = verdictOf(finding);
  if (isExplored(finding)) return h("span", { class: "badge exploring" }, "exploring");
  return h("span", { class: `badge ${verdict}` }, `${marks[verdict] ?? "?"} ${verdict}`);
}

/** What the page says first: sentences, and the values that made the property false, the latest first. */
export function explanation(finding: Finding, run: Run | undefined, choose: (step: number) => void): HTMLElement {
  const property = propertyOf(finding),
    verdict = verdictOf(finding);
  const history = objectOf(finding.run?.["history"]);
  const sentences = Array.isArray(history["sentences"]) ? history["sentences"].map((one) => text(one)) : [];
  const failure = objectOf(finding.run?.["failure"]);
  const refinement = objectOf(finding.run?.["refinement"]);
  const out = h("div", { class: "explanation" });
  const add = (...parts: (Node | string)[]): void => void out.append(h("p", {}, ...parts));
  const told = text(finding.run?.["finding"]) || firstFinding(finding.run);
  if (verdict === "violated" && finding.run?.["repairs"] !== undefined) add(...repairWords(finding.run));
  else if (text(finding.run?.["not_explained"]))
    add(`No atomic section explains it: ${text(finding.run!["not_explained"])}`);
  else if (verdict === "violated" && sentences.length > 0) add(sentences.slice(0, 2).map(capital).join(" "));
  else if (verdict === "violated" && text(finding.run?.["violation"])) add(text(finding.run!["violation"]));
  else if (verdict === "violated" && run && run.last >= 0) {
    const last = run.step(run.last);
    if (hasPlaces(run))
      add("Found: ", h("code", {}, property || "a violation"), `, after step ${grouped(run.number(run.last))}.`);
    else
      add(
        h("code", {}, property || "A property"),
        ` is false after step ${grouped(run.number(run.last))}, `,
        h("code", {}, last.name || last.kind),
        " of ",
        h("b", {}, run.laneName(last.lane)),
        ".",
        ...rejection(run, refinement),
        looksAt(run),
      );
  } else if (verdict === "violated")
    add(h("code", {}, property || "A property"), ` is violated${told ? `: ${told}` : ""}.`);
  else if (verdict === "holds")
    add(
      finding.run ? holdsWords(finding) : "The run reaches what it was looked for: ",
      ...(finding.run ? [] : [h("code", {}, property || "no violation")]),
    );
  else if (verdict === "error") add(text(finding.run?.["error"]) || "Something was wrong.");
  else add(unknownWords(finding));
  if (verdict === "violated" && run && hasPlaces(run)) add(toldByProgram(run).join(" "));
  if (text(failure["text"])) add(h("b", {}, text(failure["lane"])), ` ${text(failure["text"])}`);
  if (run && verdict === "violated") out.append(values(run, choose));
  return out;
}

function firstFinding(run: JsonObject | undefined): string {
  const files = run?.["files"];
  return Array.isArray(files) ? text(objectOf(files[0])["finding"]) : "";
}

function repairWords(run: JsonObject): (Node | string)[] {
  const best = Array.isArray(run["repairs"]) ? objectOf(run["repairs"][0]) : {};
  const blocks = Array.isArray(best["blocks"]) ? best["blocks"].map(objectOf) : [];
  const where = blocks.map(
    (one) => `lines ${valueText(one["first_line"])} to ${valueText(one["last_line"])} of ${text(one["function"])}`,
  );
  const how =
    best["standing"] === "verified"
      ? `With that, no run of ${counted(Number(run["verified_clients"] ?? 0), "client")} fails: verified.`
      : "Whether that suffices was not verified.";
  return [
    `The client `,
    h("code", {}, text(run["client"])),
    ` has results that its calls cannot have one at a time. `,
    h("b", {}, `${capital(listed(where))} must be atomic.`),
    ` ${how}`,
  ];
}

function hasPlaces(run: Run): boolean {
  return run.trace.steps.some((step) => step.place !== undefined);
}

/** What a finding about a program says of itself: texts among the values that decided the verdict. */
function toldByProgram(run: Run): string[] {
  return run.trace.explanation
    .filter((one) => typeof one.value === "string" && /\s/.test(one.value))
    .slice(0, 4)
    .map((one) => {
      const { name, role } = run.trace.lanes[one.lane]!;
      const words = `${role === "Thread" ? name : "the"} ${one.name} ${clip(String(one.value), 300)}.`;
      return words.charAt(0).toUpperCase() + words.slice(1);
    });
}

/** Why the abstract object does not allow a call. */
function rejection(run: Run, refinement: JsonObject): (Node | string)[] {
  const value = (name: string): string => text(run.trace.explanation.find((one) => one.name === name)?.value);
  const call = text(refinement["call"]) || value("rejected"),
    because = text(refinement["witness"]) || value("because");
  const clause = text(refinement["clause"]) || value("clause"),
    property = text(refinement["property"]) || value("property");
  if (call === "") return [];
  return [
    " It calls ",
    h("code", {}, clip(call, 80)),
    `, and the ${clip(text(refinement["object"]), 40) || "object"} does not allow it${because ? `: ${clip(because, 200)}` : ""}.`,
    ...(clause
      ? [" Broken is clause ", h("code", {}, clip(clause, 60)), property ? ` (${clip(property, 40)}).` : "."]
      : []),
  ];
}

function looksAt(run: Run): string {
  const read = [...run.read].map((key) => run.fields.all.get(key)!);
  const moved = read.filter((field) => field.changed > 0);
  if (moved.length === 0) return "";
  const processes = new Set(moved.map((field) => field.lane)).size;
  return ` It looks at ${counted(moved.length, "value")} of ${processes} process${processes === 1 ? "" : "es"} that changed in this run.`;
}

function holdsWords(finding: Finding): string {
  const run = finding.run!;
  if (run["command"] === "schedules") return "No scheduler has found a history that clients must not see.";
  if (run["command"] === "check" && typeof run["states"] === "number" && run["states"] > 0 && run["complete"] === true)
    return `Every reachable state was looked at, ${counted(run["states"], "state")}, and every property is true.`;
  return "Nothing is violated.";
}

function unknownWords(finding: Finding): string {
  const run = finding.run;
  if (isExplored(finding)) return "A run that you make, step by step. Other schedules have not been looked at.";
  if (!run) return "The run ended without a verdict. That is no proof.";
  const stopped = text(run["stopped_by"]) || "the search is incomplete";
  const search = text(run["search"]);
  if (run["command"] === "simulate" || /random walk/.test(search))
    return "A random run, not a search. No property was violated on the way; that says nothing about other runs.";
  return `${capital(stopped)}, after ${counted(Number(run["states"] ?? 0), "state")}. Nothing was violated so far, and this is no proof.`;
}

const firstShown = 3;

/** The values that the property read, the latest first; a click leads to the step that set each. */
function values(run: Run, choose: (step: number) => void): HTMLElement {
  const end = run.trace.steps.length;
  const moved = [...run.read]
    .map((key) => run.fields.all.get(key)!)
    .filter((field) => field.setBy(end) !== atTheBeginning && !run.isInbox(field.name));
  moved.sort((a, b) => b.setBy(end) - a.setBy(end));
  const still = run.read.size - moved.length;
  const box = h("div", { class: "values" });
  if (moved.length === 0) return box;
  for (const field of moved.slice(0, firstShown)) {
    const step = field.setBy(end);
    box.append(
      h(
        "button",
        { type: "button", class: "readvalue", click: () => choose(step) },
        `${run.laneName(field.lane)} `,
        h(
          "code",
          {},
          `${field.name === run.laneName(field.lane) ? "" : field.name} = `,
          h("b", {}, valueText(field.after(end), 40)),
        ),
        h("span", { class: "muted" }, ` step ${run.number(step)}`),
      ),
    );
  }
  const rest = [
    moved.length > firstShown ? `${moved.length - firstShown} more in the state` : "",
    still > 0 ? `${still} that never changed` : "",
  ]
    .filter(Boolean)
    .join("; ");
  if (rest) box.append(h("span", { class: "muted rest" }, rest));
  return box;
}

/** "6,797 states to depth 10; partial order; 140 ms; heddle 0.2.0". */
export function coverage(finding: Finding): string {
  const { run } = finding;
  const parts: string[] = [];
  if (run) {
    const states = Number(run["states"] ?? 0);
    if (states > 0)
      parts.push(
        `${counted(states, "state")}${run["depth"] ? ` to depth ${grouped(Number(run["depth"]))}` : ""}${run["complete"] === true ? ", complete" : ""}`,
      );
    if (typeof run["operations"] === "number")
      parts.push(
        `${counted(run["operations"], "operation")} in ${counted(Number(run["partitions"] ?? 1), "partition")}`,
      );
    if (text(run["bad_executions"]))
      parts.push(
        `${text(run["bad_executions"])} bad ${text(run["good_executions"]) ? `and ${text(run["good_executions"])} good executions compared` : "execution"}`,
      );
    if (Array.isArray(run["reductions"]) && run["reductions"].length > 0)
      parts.push(`reduced by ${listed(run["reductions"].map((one) => text(one)))}`);
    if (text(run["stopped_by"])) parts.push(text(run["stopped_by"]));
    if (typeof run["seconds"] === "number")
      parts.push(
        run["seconds"] < 1 ? `${Math.max(1, Math.round(run["seconds"] * 1000))} ms` : `${run["seconds"].toFixed(1)} s`,
      );
  }
  if (finding.version) parts.push(`heddle ${finding.version}`);
  return parts.join("; ");
}

/** What never happened although a run should have it; green runs may hide it. */
export function neverHappened(finding: Finding): string[] {
  const out: string[] = [];
  const properties = finding.run?.["properties"];
  if (Array.isArray(properties)) {
    for (const one of properties.map(objectOf))
      if (one["kind"] === "sometimes" && one["result"] === "violated") out.push(text(one["name"]));
  }
  const never = objectOf(finding.run?.["coverage"])["never"];
  if (Array.isArray(never)) out.push(...never.map((one) => text(one)));
  return out;
}

export function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function capital(sentence: string): string {
  return /^[a-z]+[ (]/.test(sentence) && !/^[a-z]+\(/.test(sentence)
    ? sentence.charAt(0).toUpperCase() + sentence.slice(1)
    : sentence;
}
