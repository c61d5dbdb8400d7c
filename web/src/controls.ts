// The buttons above a run, and what typing into the search does.

import { h } from "./dom";
import type { Run } from "./run";
import { grouped } from "./text";
import type { View } from "./view";

export interface ControlActions {
  fold(): void;
  past(): void;
  filter(owner: HTMLElement): void; // the button that opens something
  copy(owner: HTMLElement): void;
}

export function runControls(run: Run, view: View, actions: ControlActions): HTMLElement[] {
  const toggle = (text: string, key: string, on: boolean, act: () => void, disabled = false): HTMLElement =>
    h(
      "button",
      { type: "button", class: "toggle", "aria-pressed": String(on), disabled, click: act },
      text,
      h("kbd", {}, key),
    );
  const filtered = view.hiddenLanes.size + (view.type !== "" ? 1 : 0) + (view.field !== "" ? 1 : 0);
  const filter = h(
    "button",
    {
      type: "button",
      class: "toggle",
      "aria-pressed": String(filtered > 0),
      "aria-haspopup": "true",
      click: () => actions.filter(filter),
    },
    filtered > 0 ? `Filter: ${filtered}` : "Filter",
  );
  const copy = h("button", { type: "button", "aria-haspopup": "true", click: () => actions.copy(copy) }, "Copy");
  const none = run.unrelatedCount === 0;
  const fold = none ? "Fold (all matter)" : `Fold ${grouped(run.unrelatedCount)} unrelated`;
  return [
    toggle(fold, "f", view.fold, () => actions.fold(), none),
    toggle("Causal past", "c", view.past, () => actions.past()),
    filter,
    copy,
  ];
}

const pause = 120; // ms after the last key before the steps are searched

export function onSearch(
  input: HTMLInputElement,
  actions: { changed(words: string): void; next(by: 1 | -1): void },
): void {
  let wait = 0;
  input.addEventListener("input", () => {
    window.clearTimeout(wait);
    wait = window.setTimeout(() => actions.changed(input.value), pause);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    window.clearTimeout(wait);
    actions.next(event.shiftKey ? -1 : 1);
  });
}
