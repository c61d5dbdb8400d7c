// The panel "Transactions": the transactions of an anomaly, the cycle that they form, and what is known of each
// isolation level.

import { h } from "./dom";
import type { Json, JsonObject } from "./values";
import { objectOf, text } from "./verdict";

export function hasTransactions(run: JsonObject | undefined): run is JsonObject {
  return run !== undefined && Array.isArray(run["levels"]);
}

const words: Record<string, string> = {
  ww: "writes before",
  wr: "is read by",
  rw: "read what is overwritten by",
  session: "comes before, in its session,",
  time: "had returned before",
};

export function transactionsPanel(run: JsonObject): HTMLElement {
  const list = (json: Json | undefined): JsonObject[] => (Array.isArray(json) ? json.slice(0, 300).map(objectOf) : []);
  const shown = list(run["shown"]),
    edges = list(run["edges"]),
    levels = list(run["levels"]);
  const element = h("div", { class: "panel page", tabindex: "0" });
  if (text(run["anomaly"])) element.append(h("h2", {}, `Anomaly: ${text(run["anomaly"])}`));
  if (shown.length > 0) {
    element.append(
      h(
        "div",
        { class: "scrolls" },
        table(
          ["", "process", "outcome", "lines", "what it did"],
          shown.map((one) => [
            h("b", {}, text(one["name"])),
            text(one["process"]),
            text(one["outcome"]),
            lines(one),
            h("code", {}, text(one["text"])),
          ]),
        ),
      ),
    );
  } else {
    element.append(
      h("p", { class: "empty" }, "No transactions are shown: nothing is wrong with the level that was asked for."),
    );
  }
  if (edges.length > 0) {
    element.append(
      h("h2", {}, "The cycle"),
      h(
        "div",
        { class: "box" },
        h("p", {}, "Each of these has to come before the next, so that there is no order of them all."),
        h(
          "ul",
          {},
          ...edges.map((one) =>
            h(
              "li",
              {},
              h("b", {}, text(one["from"])),
              ` ${words[text(one["kind"])] ?? text(one["kind"])} `,
              h("b", {}, text(one["to"])),
              ` (${text(one["kind"])}): ${text(one["reason"])}${one["assumed"] === true ? "; this rests on an order that was chosen" : ""}`,
            ),
          ),
        ),
      ),
    );
  }
  element.append(
    h("h2", {}, "Isolation levels"),
    h(
      "div",
      { class: "scrolls" },
      table(
        ["level", "verdict", "ruled out by", "an order was replayed for"],
        levels.map((one) => [
          text(one["name"]),
          `${one["verdict"] === "holds" ? "✓" : one["verdict"] === "violated" ? "✗" : "?"} ${text(one["verdict"])}`,
          text(one["anomaly"]) || text(one["stopped_by"]),
          text(one["certificate"]),
        ]),
      ),
    ),
  );
  return element;
}

function lines(one: JsonObject): string {
  const from = one["invoked_line"],
    to = one["returned_line"];
  return typeof from === "number" && from > 0 ? `${from}${typeof to === "number" && to > 0 ? ` to ${to}` : ""}` : "";
}

export function table(head: string[], rows: (Node | string)[][], figures: readonly number[] = []): HTMLElement {
  const cls = (i: number): string => (figures.includes(i) ? "figure" : "");
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ...head.map((one, i) => h("th", { scope: "col", class: cls(i) }, one)))),
    h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((one, i) => h("td", { class: cls(i) }, one))))),
  );
}
