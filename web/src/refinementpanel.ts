// The panel "Refinement": what each step is to the abstract object, which call it does not allow and why, and the
// object's tree as it grows.

import { h, s } from "./dom";
import type { Finding } from "./finding";
import type { Run } from "./run";
import { clip, counted, grouped } from "./text";
import { isObject, valueText, type Json } from "./values";
import { objectOf, text } from "./verdict";

interface TreeNode {
  round: string;
  value: string;
  parent: string;
  status: string; // ADDED, GHOST, COMMITTED
}

const mostNodes = 200,
  mostRows = 400;

export class RefinementPanel {
  readonly element = h("div", { class: "panel page", tabindex: "0" });

  constructor(
    private readonly finding: Finding,
    private readonly run: Run,
    private readonly cursor: () => number,
    private readonly choose: (step: number) => void,
  ) {
    this.paint();
  }

  paint(): void {
    this.element.replaceChildren(
      h("div", { class: "columns" }, h("section", {}, ...this.calls()), h("section", {}, ...this.object())),
      ...this.facts(),
    );
  }

  private calls(): HTMLElement[] {
    const { run } = this;
    const rows: HTMLElement[] = [];
    let all = 0;
    run.trace.steps.forEach((step, i) => {
      all += step.calls.length;
      for (const call of step.calls) {
        if (rows.length >= mostRows) return;
        const rejected = call.answer === "rejected";
        const sign = rejected ? "✕" : call.answer === "stutter" ? "◇" : "◆";
        rows.push(
          h(
            "tr",
            { class: rejected ? "bad" : i === this.cursor() ? "chosen" : "" },
            h(
              "td",
              { class: "figure" },
              h("button", { type: "button", class: "link", click: () => this.choose(i) }, String(run.number(i))),
            ),
            h("td", {}, h("b", {}, run.laneName(step.lane)), ` ${step.name}`),
            h("td", { class: "mono" }, call.call),
            h("td", {}, `${sign} ${call.answer}`),
          ),
        );
      }
    });
    const out: HTMLElement[] = [
      h("h2", {}, "Protocol step, abstract call, answer"),
      h(
        "div",
        { class: "scrolls" },
        h(
          "table",
          {},
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              h("th", { scope: "col", class: "figure" }, "step"),
              h("th", { scope: "col" }, "protocol step"),
              h("th", { scope: "col" }, "abstract call"),
              h("th", { scope: "col" }, "answer"),
            ),
          ),
          h("tbody", {}, ...rows),
        ),
      ),
    ];
    if (all > rows.length)
      out.push(h("p", { class: "muted" }, `${counted(all - rows.length, "more call")} not listed.`));
    return out;
  }

  private object(): HTMLElement[] {
    const { run } = this;
    const step = this.cursor();
    const out: HTMLElement[] = [];
    for (const lane of run.objects) {
      const field = run.fields.ofLane[lane]?.[0];
      const value = field?.after(step);
      out.push(h("h2", {}, `${run.laneName(lane)} after step ${grouped(run.number(Math.max(step, 0)))}`));
      const rejected = step >= 0 ? run.step(step).calls.find((call) => call.answer === "rejected") : undefined;
      const nodes = nodesOf(value);
      if (!nodes) out.push(h("p", {}, h("code", {}, valueText(value))));
      else out.push(this.tree(nodes, rejected?.call));
    }
    return out;
  }

  /**
   * Double ring: committed. Ring: added. Thin ring: a round without a value. Dashed: rejected, drawn where it would
   * have gone.
   */
  private tree(nodes: TreeNode[], rejected: string | undefined): HTMLElement {
    const wrong = rejected ? /^add\(\s*([^,]+),\s*([^,]+),\s*([^,)]+)/.exec(rejected) : null;
    const all = [{ round: "0", value: "", parent: "", status: "ROOT" }, ...nodes.slice(0, mostNodes)];
    if (wrong)
      all.push({ round: wrong[1]!.trim(), value: wrong[2]!.trim(), parent: wrong[3]!.trim(), status: "REJECTED" });
    const at = new Map<string, { x: number; y: number }>();
    const children = new Map<string, TreeNode[]>();
    for (const node of all)
      if (node.status !== "ROOT") children.set(node.parent, [...(children.get(node.parent) ?? []), node]);
    let row = 0;
    const placed = new Set<TreeNode>();
    const placeNode = (node: TreeNode, depth: number): number => {
      placed.add(node);
      const below = (children.get(node.round) ?? [])
        .filter((one) => !placed.has(one) && node.status !== "REJECTED")
        .map((one) => placeNode(one, depth + 1));
      const y = below.length > 0 ? below.reduce((sum, one) => sum + one, 0) / below.length : 34 + 62 * row++;
      at.set(key(node), { x: 34 + depth * 96, y });
      return y;
    };
    placeNode(all[0]!, 0);
    for (const node of all) if (!placed.has(node)) placeNode(node, 1); // whose parent is not there
    const width = Math.max(...[...at.values()].map((one) => one.x)) + 70,
      height = 34 + 62 * row;
    const svg = s("svg", {
      class: "drawing tree",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": this.treeWords(all),
    });
    for (const node of all) {
      const { x, y } = at.get(key(node))!;
      const parent = all.find((one) => one.round === node.parent && one.status !== "REJECTED" && one !== node);
      const from = parent && at.get(key(parent));
      const bad = node.status === "REJECTED";
      if (from)
        svg.append(
          s("path", { class: bad ? "call rejected" : "arrow", d: `M${from.x + 16} ${from.y}L${x - 17} ${y}` }),
        );
      const group = s("g", { class: bad ? "bad" : "step" });
      group.append(
        s("circle", {
          class: bad ? "rejection" : "hollow",
          cx: x,
          cy: y,
          r: 15,
          "stroke-dasharray": bad ? "4 3" : node.status === "GHOST" ? "1 3" : undefined,
        }),
      );
      if (node.status === "COMMITTED") group.append(s("circle", { class: "hollow", cx: x, cy: y, r: 11 }));
      group.append(s("text", { class: "name", x, y: y + 4.5, "text-anchor": "middle" }, clip(node.round, 4)));
      group.append(
        s(
          "text",
          { x, y: y + 29, "text-anchor": "middle" },
          clip(node.status === "ROOT" ? "" : node.status === "GHOST" ? "no value" : `value ${node.value}`, 14),
        ),
      );
      if (bad) group.append(s("text", { class: "call rejected", x: x + 20, y: y + 4 }, "✕"));
      svg.append(group);
    }
    return h(
      "div",
      { class: "scrolls" },
      svg as unknown as HTMLElement,
      h(
        "p",
        { class: "muted" },
        "A node is a round. Double ring: committed; ring: added; dotted: without a value; dashed with ✕: rejected, where it would have gone.",
      ),
    );
  }

  private treeWords(nodes: TreeNode[]): string {
    return (
      nodes
        .filter((one) => one.status !== "ROOT")
        .map((one) => `round ${one.round} on ${one.parent}, value ${one.value}, ${one.status.toLowerCase()}`)
        .join("; ") || "an empty tree"
    );
  }

  private facts(): HTMLElement[] {
    const { trace } = this.run;
    const told = objectOf(this.finding.run?.["refinement"]);
    const value = (name: string): string => {
      const found = trace.explanation.find((one) => one.name === name);
      return found === undefined ? "" : typeof found.value === "string" ? found.value : valueText(found.value);
    };
    const clause = text(told["clause"]) || value("clause"),
      because = text(told["witness"]) || value("because"),
      property = text(told["property"]) || value("property");
    const rows: [string, string][] = [
      ["rejected call", text(told["call"]) || value("rejected")],
      ["broken clause", clause + (property ? ` (${property})` : "")],
      ["because", because],
      ["class", text(told["class"])],
      ["advice", text(told["advice"])],
    ];
    const quorums = Array.isArray(told["quorums"]) ? told["quorums"].map((one) => text(one)) : [];
    for (const one of quorums) rows.push(["quorums", one]);
    const shown = rows.filter(([, words]) => words !== "");
    if (shown.length === 0) return [];
    return [
      h("h2", {}, "Why it is rejected"),
      h(
        "table",
        {},
        h(
          "tbody",
          {},
          ...shown.map(([name, words]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, words))),
        ),
      ),
    ];
  }
}

function key(node: TreeNode): string {
  return `${node.round} ${node.parent} ${node.status}`;
}

function nodesOf(value: Json | undefined): TreeNode[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const nodes = value.filter(isObject);
  if (nodes.length !== value.length || nodes.some((one) => !("round" in one) || !("parent" in one))) return undefined;
  const word = (json: Json | undefined): string => (typeof json === "string" ? json : valueText(json, 20));
  return nodes.map((one) => ({
    round: word(one["round"]),
    value: word(one["value"]),
    parent: word(one["parent"]),
    status: word(one["status"]),
  }));
}
