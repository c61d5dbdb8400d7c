// The head of the page: verdict, property, model, explanation, command and what was covered.

import { badge, coverage, explanation, modelOf, neverHappened, propertyOf, settingsOf } from "./verdict";
import type { Finding } from "./finding";
import { h } from "./dom";
import type { Run } from "./run";

const mostNever = 3;

export interface HeadActions {
  choose(step: number): void;
  copyCommand(): void;
}

/** `tools` stand at the right: search and buttons. */
export function head(finding: Finding, run: Run | undefined, tools: HTMLElement, actions: HeadActions): HTMLElement {
  const side = h("div", { class: "side" });
  if (finding.command !== "") {
    const copy = h(
      "button",
      { type: "button", class: "plain", "aria-label": "Copy the command", click: () => actions.copyCommand() },
      "Copy",
    );
    side.append(h("div", { class: "command" }, h("code", { title: finding.command }, finding.command), copy));
  }
  side.append(covered(finding));
  const title = propertyOf(finding) || modelOf(finding);
  const model = [propertyOf(finding) !== "" ? modelOf(finding) : "", settingsOf(finding)].filter(Boolean).join(" · ");
  return h(
    "header",
    { class: "head" },
    h(
      "div",
      { class: "title" },
      badge(finding),
      h("h1", { title }, title),
      h("span", { class: "model", title: settingsOf(finding) }, model),
    ),
    tools,
    explanation(finding, run, (step) => actions.choose(step)),
    side,
  );
}

function covered(finding: Finding): HTMLElement {
  const out = h("p", { class: "covered" }, coverage(finding));
  const never = neverHappened(finding);
  if (never.length > 0) {
    const more = never.length > mostNever ? ` and ${never.length - mostNever} more` : "";
    out.append(" ", h("b", {}, "Never happened: "), h("span", {}, `${never.slice(0, mostNever).join(", ")}${more}.`));
  }
  out.title = out.textContent;
  return out;
}
