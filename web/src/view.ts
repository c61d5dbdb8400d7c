// What the reader has chosen: the cursor and what is shown. Everything else on the page follows from this and the
// finding.

import type { Run } from "./run";

export interface View {
  cursor: number; // step; -1 if there is none
  fold: boolean; // steps that do not matter
  past: boolean; // show the causal past of the cursor
  hiddenLanes: Set<number>;
  type: string; // only steps that send or receive it; empty: any
  field: string; // key; only steps that change it; empty: any
  unfolded: Set<number>; // first steps of folds that were opened
  watch: string[]; // keys of fields
  search: string;
  matches: number[]; // steps, ascending
}

export function newView(run: Run | undefined): View {
  return {
    cursor: run ? run.last : -1,
    fold: false,
    past: false,
    hiddenLanes: new Set(),
    type: "",
    field: "",
    unfolded: new Set(),
    watch: [],
    search: "",
    matches: [],
  };
}

/** What the reader has chosen about one run holds for another one of the same model. */
export function keepChoices(from: View, to: View): void {
  to.past = from.past;
  to.hiddenLanes = from.hiddenLanes;
  to.type = from.type;
  to.field = from.field;
  to.watch = from.watch;
}

/** Marks the steps that are folded. */
export function hiddenSteps(run: Run, view: View): Uint8Array {
  const hides = new Uint8Array(run.trace.steps.length);
  const filtered = view.hiddenLanes.size > 0 || view.type !== "" || view.field !== "";
  if (!filtered && !view.fold) return hides;
  run.trace.steps.forEach((step, i) => {
    const ofType = (message: { type: string }): boolean => message.type === view.type;
    const hidden =
      (view.fold && run.unrelated[i] === 1) ||
      view.hiddenLanes.has(step.lane) ||
      (view.type !== "" && !step.received.some(ofType) && !step.sent.some(ofType)) ||
      (view.field !== "" && !step.diffs.some((diff) => `${diff.lane} ${diff.name}` === view.field));
    hides[i] = hidden ? 1 : 0;
  });
  return hides;
}

/** The steps in whose sentence, names of lanes included, the words stand. */
export function findMatches(run: Run, words: string): number[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return [];
  const out: number[] = [];
  run.trace.steps.forEach((_, i) => {
    if (run.sentence(i).toLowerCase().includes(wanted)) out.push(i);
  });
  return out;
}
