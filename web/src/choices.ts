// What can happen in a state, what cannot and why, and what the properties say of it: the lists of the explorer.

import { h } from "./dom";
import type { Run } from "./run";
import { clip, counted, grouped } from "./text";
import { isObject, type Json } from "./values";

const longest = 300; // characters of a sentence

/** A button for each step; `enabled` has them as if they were a run. */
export function choiceList(enabled: Run, leftOut: number, choose: (choice: number) => void): HTMLElement {
  const { steps } = enabled.trace;
  if (steps.length === 0) return h("p", { class: "empty" }, "Nothing: this is a final state.");
  return h(
    "div",
    {},
    h(
      "ul",
      { class: "choices" },
      ...steps.map((step, choice) => {
        const words = enabled.sentence(choice).replace(/^Step \d[\d,]*: /, "");
        const who = enabled.laneName(step.lane);
        const rest = words.startsWith(who) ? words.slice(who.length) : ` ${words}`;
        const what = /^( [^ ,]+)?(.*)$/s.exec(rest)!;
        return h(
          "li",
          {},
          h(
            "button",
            { type: "button", class: `choice ${step.kind}`, "data-choice": choice, click: () => choose(choice) },
            h("b", {}, who),
            h("span", { class: "does" }, what[1] ?? ""),
            h("span", { class: "muted" }, clip(what[2] ?? "", longest)),
          ),
        );
      }),
    ),
    leftOut > 0 && h("p", { class: "muted" }, `${counted(leftOut, "further step")} are not listed.`),
  );
}

/** Why other steps cannot happen. */
export function missingList(missing: Json[], lanes: Run): HTMLElement | undefined {
  const rows = missing.filter(isObject).map((one) => {
    const lane = typeof one["lane"] === "number" ? lanes.trace.lanes[one["lane"]]?.name : undefined;
    return h(
      "li",
      {},
      h("b", {}, `${lane ?? ""}`),
      h("span", {}, ` ${String(one["name"] ?? "")}`),
      h("span", { class: "why" }, String(one["why"] ?? "")),
    );
  });
  if (rows.length === 0) return undefined;
  return h(
    "details",
    { class: "missing", open: rows.length <= 12 },
    h("summary", {}, `What cannot happen here, and why (${grouped(rows.length)})`),
    h("ul", {}, ...rows),
  );
}

const signs: Record<string, [string, string, string]> = {
  holds: ["✓", "ok", "holds here"],
  false: ["✗", "bad", "is false here"],
  reached: ["✓", "ok", "is reached here"],
  "not reached": ["–", "", "is not reached here"],
  "not judged": ["–", "", "is judged in final states; this is none"],
  within: ["–", "", "this state is within the bound"],
  beyond: ["!", "fault", "this state is beyond the bound: a search does not go on here"],
};

export function propertyList(properties: Json[]): HTMLElement {
  const rows = properties.filter(isObject).map((one) => {
    const [sign, cls, words] = signs[String(one["here"])] ?? ["?", "", String(one["here"])];
    return h(
      "li",
      { class: cls },
      h("span", { class: "sign", "aria-hidden": "true" }, sign),
      h("span", {}, h("b", {}, String(one["name"])), ` ${words}`),
    );
  });
  if (rows.length === 0) return h("p", { class: "empty" }, "None: the model states no property.");
  return h("ul", { class: "properties" }, ...rows);
}
