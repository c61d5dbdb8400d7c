// The panel "Statistics": what the run did, in figures: properties, counts, coverage, schedulers. Bars repeat figures
// that stand beside them.

import { scaleLinear } from "d3-scale";
import { h, s } from "./dom";
import type { Finding } from "./finding";
import { grouped, listed } from "./text";
import { valueText, type Json, type JsonObject } from "./values";
import { table } from "./transactionspanel";
import { objectOf, text } from "./verdict";

const counters: [string, string][] = [
  ["states", "states"],
  ["transitions", "transitions"],
  ["deadlocks", "final states"],
  ["depth", "depth"],
  ["left_out", "steps left out by reductions"],
  ["queue", "states still queued"],
  ["cut_off", "states not continued"],
  ["walks", "random walks"],
  ["nodes", "states visited without a store"],
  ["pushes", "frames pushed"],
  ["stack", "frames at once"],
  ["operations", "operations"],
  ["partitions", "partitions"],
  ["decided", "partitions decided"],
];
const sizes: [string, string][] = [
  ["store_bytes", "visited states"],
  ["door_bytes", "contents of slots"],
  ["peak_bytes", "the process at its largest"],
];
const most = 300;

export function statisticsPanel(finding: Finding): HTMLElement {
  const element = h("div", { class: "panel page", tabindex: "0" });
  const { run } = finding;
  if (!run) {
    const trace = finding.trace!;
    element.append(
      h(
        "p",
        { class: "empty" },
        "This page was made from a trace alone, which has no figures of a search. Name the JSON of the run, too: heddle report TRACE RUN.",
      ),
      h("h2", {}, "Settings"),
      settings({ model: trace.model, bug: trace.bug || null, ...trace.parameters, ...trace.options }),
    );
    return element;
  }
  const number = (name: string): number => (typeof run[name] === "number" ? run[name] : 0);
  const figures = counters.filter(([name]) => number(name) > 0).map(([name, words]) => [words, grouped(number(name))]);
  const bytes = sizes.filter(([name]) => number(name) > 0).map(([name, words]) => [words, bytesText(number(name))]);
  const left = h("section", {}),
    right = h("section", {});
  const properties = list(run["properties"]);
  if (properties.length > 0) {
    left.append(
      h("h2", {}, "Properties"),
      table(
        ["property", "kind", "result"],
        properties.map((one) => [text(one["name"]), text(one["kind"]).replace("_", " "), result(one)]),
      ),
    );
  }
  if (figures.length > 0) left.append(h("h2", {}, "Search"), table(["", "count"], figures, [1]));
  if (bytes.length > 0)
    right.append(
      h("h2", {}, "Memory"),
      table(["of", "bytes"], bytes, [1]),
      bars(sizes.filter(([name]) => number(name) > 0).map(([name, words]) => [words, number(name)])),
    );
  const facts: JsonObject = {
    model: run["model"] ?? "",
    bug: run["bug"] ?? null,
    ...objectOf(run["parameters"]),
    ...objectOf(run["options"]),
    search: run["search"] ?? "",
    store: run["store"] ?? "",
    threads: run["threads"] ?? null,
  };
  if (Array.isArray(run["reductions"])) facts["reductions"] = listed(run["reductions"].map((one) => text(one)));
  for (const name of [
    "stopped_by",
    "note",
    "chosen",
    "memory",
    "client",
    "clients",
    "histories",
    "reduced_from",
    "spec",
    "method",
  ])
    if (text(run[name])) facts[name.replace("_", " ")] = run[name]!;
  if (typeof run["seconds"] === "number") facts["seconds"] = Number(run["seconds"].toFixed(3));
  right.append(h("h2", {}, "Settings"), settings(facts));
  for (const [name, words] of [
    ["warnings", "Warnings"],
    ["growth", "What grows"],
    ["not_reduced", "Not reduced by"],
    ["freed_comparisons", "Comparisons with freed memory"],
    ["weaker_orders", "Lines that ask for a weaker order"],
  ] as const) {
    const all = run[name];
    if (Array.isArray(all) && all.length > 0)
      right.append(h("h2", {}, words), h("ul", {}, ...all.slice(0, most).map((one) => h("li", {}, valueText(one)))));
  }
  element.append(h("div", { class: "columns" }, left, right));
  const schedulers = list(run["schedulers"]);
  if (schedulers.length > 0) element.append(...schedules(schedulers));
  const covered = objectOf(run["coverage"]);
  const transitions = list(covered["transitions"]),
    messages = list(covered["messages"]);
  if (transitions.length > 0) {
    element.append(
      h("h2", {}, "Transitions"),
      h(
        "div",
        { class: "scrolls" },
        table(
          ["transition", "executed", "inputs", "accepted", "guards that were false"],
          transitions.map((one) => [
            text(one["name"]),
            figure(one["executed"]),
            figure(one["inputs"]),
            figure(one["accepted"]),
            guards(one),
          ]),
          [1, 2, 3],
        ),
      ),
      bars(transitions.map((one) => [text(one["name"]), typeof one["executed"] === "number" ? one["executed"] : 0])),
    );
  }
  if (messages.length > 0) {
    element.append(
      h("h2", {}, "Messages"),
      table(
        ["type", "sent", "arrived", "received"],
        messages.map((one) => [text(one["name"]), yes(one["sent"]), yes(one["arrived"]), figure(one["received"])]),
        [3],
      ),
    );
  }
  const failing = list(run["failing_clients"]);
  if (failing.length > 0)
    element.append(
      h("h2", {}, "Clients that fail"),
      table(
        ["client", "how", "outcomes that are wrong"],
        failing.map((one) => [text(one["client"]), valueText(one["kinds"]), valueText(one["bad"])]),
      ),
    );
  const stress = list(run["stress"]);
  if (stress.length > 0)
    element.append(
      h("h2", {}, "On real threads"),
      table(
        ["client", "runs", "outcomes"],
        stress.map((one) => [text(one["client"]), figure(one["runs"]), valueText(one["outcomes"])]),
        [1],
      ),
    );
  const files = list(run["files"]);
  if (files.length > 0)
    element.append(
      h("h2", {}, "Files"),
      table(
        ["file", "verdict", "operations", "method", "finding"],
        files.map((one) => [
          text(one["file"]),
          text(one["verdict"]),
          figure(one["operations"]),
          text(one["method"]),
          text(one["finding"]) || text(one["error"]),
        ]),
        [2],
      ),
    );
  return element;
}

const list = (json: Json | undefined): JsonObject[] => (Array.isArray(json) ? json.slice(0, most).map(objectOf) : []);
const figure = (json: Json | undefined): string => (typeof json === "number" ? grouped(json) : "");
const yes = (json: Json | undefined): string => (json === true ? "yes" : "no");

function result(one: JsonObject): string {
  const verdict = text(one["result"]);
  return `${verdict === "holds" ? "✓" : verdict === "violated" ? "✗" : "?"} ${verdict}`;
}

function guards(one: JsonObject): string {
  return list(one["guards"])
    .map((guard) => `${text(guard["place"])} (${figure(guard["rejected"])})`)
    .join(", ");
}

function settings(all: JsonObject): HTMLElement {
  const rows = Object.entries(all)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => [name, valueText(value)]);
  return table(["setting", "value"], rows);
}

function schedules(all: JsonObject[]): HTMLElement[] {
  const rate = (one: Json | undefined): string => (typeof one === "number" ? `${Math.round(one * 1000) / 10} %` : "");
  return [
    h("h2", {}, "Schedulers"),
    h(
      "div",
      { class: "scrolls" },
      table(
        [
          "scheduler",
          "schedules",
          "histories",
          "not linearizable",
          "before the first",
          "quality",
          "precision",
          "seconds",
        ],
        all.map((one) => [
          text(one["name"]),
          figure(one["schedules"]),
          figure(one["histories"]),
          figure(one["not_linearizable"]),
          figure(one["histories_before_first"]),
          rate(one["quality"]),
          rate(one["precision"]),
          typeof one["total_seconds"] === "number" ? one["total_seconds"].toFixed(2) : "",
        ]),
        [1, 2, 3, 4, 5, 6, 7],
      ),
    ),
    h("h3", {}, "Histories that each has found"),
    bars(all.map((one) => [text(one["name"]), typeof one["histories"] === "number" ? one["histories"] : 0])),
  ];
}

function bars(all: [string, number][]): HTMLElement {
  if (all.length < 2) return h("div", {});
  const shown = all.slice(0, 40),
    row = 20,
    names = 220,
    width = 640;
  const scale = scaleLinear()
    .domain([0, Math.max(...shown.map(([, value]) => value), 1)])
    .range([0, width - names - 90]);
  const svg = s("svg", {
    class: "bars",
    width,
    height: shown.length * row + 4,
    viewBox: `0 0 ${width} ${shown.length * row + 4}`,
    "aria-hidden": "true",
  });
  shown.forEach(([name, value], i) => {
    svg.append(
      s(
        "text",
        { x: names - 8, y: i * row + 15, "text-anchor": "end" },
        name.length > 34 ? `${name.slice(0, 33)}…` : name,
      ),
      s("rect", {
        class: "bar-of",
        x: names,
        y: i * row + 5,
        width: Math.max(scale(value), value > 0 ? 1 : 0),
        height: 12,
        rx: 2,
      }),
      s("text", { x: names + scale(value) + 6, y: i * row + 15 }, grouped(value)),
    );
  });
  return h("div", { class: "scrolls" }, svg as unknown as HTMLElement);
}

function bytesText(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (bytes >= 1024 && unit < units.length - 1) {
    bytes /= 1024;
    ++unit;
  }
  return `${unit === 0 ? bytes : bytes.toFixed(1)} ${units[unit]}`;
}
