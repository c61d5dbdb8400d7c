// The run in other forms: sentences, a Mermaid sequence diagram, a log for ShiViz, an SVG picture.

import { isFault } from "./causality";
import { s } from "./dom";
import { isOfTheNetwork, type Lanes } from "./layout";
import { changeText, type Run } from "./run";
import { clip } from "./text";
import { messageText } from "./values";

export function asText(run: Run, heading: readonly string[]): string {
  const lines = run.trace.steps.map((_, i) => run.sentence(i));
  return [...heading, "", ...lines].join("\n") + "\n";
}

/** Names and messages are stripped of what Mermaid gives a meaning to. */
export function asMermaid(run: Run): string {
  const word = (text: string): string =>
    clip(text, 120)
      .replace(/[;#<>{}`"\\%]/g, " ")
      .replace(/:/g, "꞉")
      .replace(/\s+/g, " ")
      .trim() || " ";
  const out = ["sequenceDiagram"];
  for (const lane of run.lanes) out.push(`  participant L${lane} as ${word(run.laneName(lane))}`);
  run.trace.steps.forEach((step, i) => {
    const number = run.number(i);
    const shown = run.lanes.includes(step.lane);
    if (step.kind === "lose" || step.kind === "duplicate") {
      for (const message of step.received)
        out.push(
          `  L${message.from}${step.kind === "lose" ? "-x" : "--)"}L${message.to}: ${number} ${step.kind === "lose" ? "lost" : "duplicated"} ${word(messageText(message.type, message.body, 60))}`,
        );
      return;
    }
    for (const { message } of run.matching.received[i]!)
      out.push(`  L${message.from}->>L${message.to}: ${word(messageText(message.type, message.body, 60))}`);
    const changed = run.changes(i).slice(0, 3).map(changeText).join(", ");
    const note =
      isFault(step.kind) && step.kind !== "byzantine"
        ? run.faultText(i)
        : `${step.name}${changed ? ` ${changed}` : ""}`;
    if (isOfTheNetwork(step.kind) || !shown) {
      const ends = run.lanes.filter((lane) => !run.objects.has(lane));
      if (ends.length > 0) out.push(`  Note over L${ends[0]},L${ends[ends.length - 1]}: ${number} ${word(note)}`);
    } else {
      out.push(`  Note over L${step.lane}: ${number} ${word(note)}`);
    }
    for (const call of step.calls) {
      const object = run.lanes.find((lane) => run.objects.has(lane) && run.laneName(lane) === call.object);
      if (object !== undefined) out.push(`  L${step.lane}-->>L${object}: ${word(`${call.call} ${call.answer}`)}`);
    }
  });
  if (run.violated && run.last >= 0)
    out.push(`  Note over L${run.lanes[0]}: ✗ ${word(run.trace.property)} is false after step ${run.number(run.last)}`);
  return out.join("\n") + "\n";
}

/** The expression with which ShiViz reads the log below; it stands in the log's first line. */
export const shivizExpression = "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)";

/** Two lines an event, with vector clocks. The first line is the expression to paste, the second is empty. */
export function asShiViz(run: Run): string {
  const host = (name: string): string => name.replace(/\s+/g, "_") || "_";
  const hosts = run.trace.lanes.map((lane) => host(lane.process));
  const clocks = new Map<string, Map<string, number>>();
  const after: Map<string, number>[] = [];
  const out = [shivizExpression, ""];
  run.trace.steps.forEach((step, i) => {
    const name = hosts[step.lane]!;
    const clock = new Map(clocks.get(name) ?? []);
    if (!isOfTheNetwork(step.kind)) {
      for (const one of run.matching.received[i]!) {
        if (one.from < 0) continue;
        for (const [other, time] of after[one.from]!) clock.set(other, Math.max(clock.get(other) ?? 0, time));
      }
    }
    clock.set(name, (clock.get(name) ?? 0) + 1);
    clocks.set(name, clock);
    after.push(clock);
    out.push(
      `${name} {${[...clock].map(([other, time]) => `${JSON.stringify(other)}:${time}`).join(", ")}}`,
      run.sentence(i),
    );
  });
  return out.join("\n") + "\n";
}

/** The drawing as a file of its own: the styles that it uses, and the names of its lanes. */
export function asSvg(run: Run, drawing: SVGElement, lanes: Lanes): string {
  const box = (drawing.getAttribute("viewBox") ?? "0 0 0 0").split(" ").map(Number);
  const names = lanes.shown.map((lane) =>
    s(
      "text",
      { x: lanes.x[lane]!, y: box[1]! - 10, "text-anchor": "middle", class: "name" },
      clip(run.laneName(lane), 30),
    ),
  );
  drawing.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  drawing.setAttribute("viewBox", `0 ${box[1]! - 30} ${box[2]} ${box[3]! + 30}`);
  drawing.setAttribute("height", String(box[3]! + 30));
  drawing.prepend(
    s("style", {}, drawingStyle()),
    s("rect", { x: 0, y: box[1]! - 30, width: box[2]!, height: box[3]! + 30, fill: "#fff" }),
    ...names,
  );
  return new XMLSerializer().serializeToString(drawing) + "\n";
}

/** The rules of the page that are about drawings, with the values of the light theme. */
function drawingStyle(): string {
  const rules: string[] = [];
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSStyleRule)) continue;
      if (rule.selectorText.includes(".drawing")) rules.push(rule.cssText.replaceAll(".drawing ", ""));
      else if (rule.selectorText === ":root") rules.push(rule.cssText.replace(":root", "svg"));
    }
  }
  return rules.join("\n");
}
