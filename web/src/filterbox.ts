// The filter: which processes, messages and fields the run shows.

import { h } from "./dom";
import type { Run } from "./run";
import type { View } from "./view";

export interface FilterActions {
  changed(): void; // one choice
  cleared(): void; // everything is shown again
}

const mostLanes = 500;
const mostTypes = 500;
const mostFields = 1_000;

export function filterBox(run: Run, view: View, actions: FilterActions): HTMLElement {
  const lanes = h("div", { class: "lanes" });
  for (const lane of run.lanes.slice(0, mostLanes)) {
    const change = (): void => {
      if (check.checked) view.hiddenLanes.delete(lane);
      else view.hiddenLanes.add(lane);
      actions.changed();
    };
    const check = h("input", { type: "checkbox", checked: !view.hiddenLanes.has(lane), change });
    lanes.append(h("label", {}, check, run.laneName(lane)));
  }
  const types = new Set<string>();
  const fields = new Map<string, string>();
  for (const step of run.trace.steps) {
    for (const message of [...step.received, ...step.sent]) if (types.size < mostTypes) types.add(message.type);
    for (const diff of step.diffs) {
      if (fields.size < mostFields) fields.set(`${diff.lane} ${diff.name}`, `${run.laneName(diff.lane)} ${diff.name}`);
    }
  }
  const chooser = (
    label: string,
    all: [string, string][],
    value: string,
    set: (value: string) => void,
  ): HTMLElement => {
    const change = (): void => {
      set(select.value);
      actions.changed();
    };
    const options = all.map(([key, name]) => h("option", { value: key, selected: key === value }, name));
    const select = h("select", { change }, h("option", { value: "" }, "any"), ...options);
    return h("label", {}, label, select);
  };
  const clear = (): void => {
    view.hiddenLanes.clear();
    view.type = view.field = "";
    actions.cleared();
  };
  const byName = [...types].sort().map((one): [string, string] => [one, one]);
  return h(
    "div",
    { class: "popover filter", role: "group", "aria-label": "Filter" },
    h("b", {}, "Processes"),
    lanes,
    chooser("Message type", byName, view.type, (value) => (view.type = value)),
    chooser("Changes field", [...fields], view.field, (value) => (view.field = value)),
    h("button", { type: "button", click: clear }, "Show everything"),
  );
}
