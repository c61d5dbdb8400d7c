// The keys of the page, and the dialog that lists them.

import { h } from "./dom";

const keysHelp: [string, string][] = [
  ["↓ ↑  j k", "next, previous step"],
  ["/  n N", "search, next, previous match"],
  ["[ ]", "previous, next step of this process"],
  ["f", "fold what does not matter"],
  ["s", "to the send of what came in"],
  ["c", "causal past"],
  ["r", "to the receipt of what went out"],
  ["w", "watch the focused field"],
  ["Home End", "first step, verdict"],
  ["PgUp PgDn", "ten steps"],
  ["Enter", "on a fold: unfold it"],
  ["← →", "operations of a history"],
  ["1 … 6", "panels"],
  ["t", "light or dark"],
  ["?", "these keys"],
  ["Esc", "close"],
];

const keysOfTheExplorer: [string, string][] = [
  ["e", "to what can happen"],
  ["⌫", "take the last step back"],
];

export function helpDialog(live: boolean): HTMLDialogElement {
  const keys = live ? [...keysHelp, ...keysOfTheExplorer] : keysHelp;
  const dialog: HTMLDialogElement = h(
    "dialog",
    { "aria-label": "Keys" },
    h("h2", {}, "Keys"),
    h("dl", {}, ...keys.flatMap(([key, what]) => [h("dt", {}, key), h("dd", {}, what)])),
    h(
      "p",
      { class: "muted" },
      "A click on a row moves the cursor, on a lane's name hides the lane, on a value leads to the step that set it, on a field watches it.",
    ),
    h("button", { type: "button", click: () => dialog.close() }, "Close"),
  );
  return dialog;
}
