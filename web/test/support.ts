// For the tests of the page: findings of the program, findings that are made up, and a browser.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export const heddle = process.env["HEDDLE"] ?? "";
export const sourceTree = process.env["HEDDLE_SOURCE"] ?? "";
export const pageFile = process.env["HEDDLE_PAGE"] ?? "";
export const browserProgram = process.env["HEDDLE_BROWSER"] || "/usr/bin/chromium";

export const folder = mkdtempSync(join(tmpdir(), "heddle-page-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Runs the program in the folder of this test; returns what it has printed on stdout. */
export function runHeddle(...words: string[]): string {
  const done = spawnSync(heddle, words, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, XDG_CACHE_HOME: join(folder, "cache") },
    timeout: 300_000,
    maxBuffer: 1 << 28,
  });
  if (done.status === null || done.status > 2)
    throw new Error(`heddle ${words.join(" ")}: ${done.stdout}${done.stderr}`);
  return done.stdout;
}

let pages = 0;
/** Writes a page that holds this text; the address of the file. */
export function pageHolding(document: string): string {
  const page = readFileSync(pageFile, "utf8").replace("{heddle-report}", () => gzipSync(document).toString("base64"));
  const file = join(folder, `made-${++pages}.html`);
  writeFileSync(file, page);
  return `file://${file}`;
}

export interface TraceJson {
  [key: string]: unknown;
}

export function document(trace: unknown, more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    format: "heddle-report",
    version: 1,
    heddle: "0.0.0",
    command: "",
    steps_before: 0,
    left_out: [],
    sources: [],
    run: null,
    trace,
    ...more,
  });
}

/** A ring of processes that pass a message on; each message is received two steps later. */
export function ring(steps: number, lanes: number): TraceJson {
  const lane = (i: number): unknown => ({ name: `node ${i + 1}`, role: "Node", process: `node ${i + 1}` });
  const message = (i: number): unknown => ({
    type: "Token",
    from: i % lanes,
    to: (i + 2) % lanes,
    body: { number: i },
  });
  return {
    format: "heddle-trace",
    version: 1,
    model: "ring",
    parameters: { lanes },
    bug: null,
    options: {},
    lanes: Array.from({ length: lanes }, (_, i) => lane(i)),
    initial: Array.from({ length: lanes }, (_, i) => ({ lane: i, name: "seen", value: -1 })),
    steps: Array.from({ length: steps }, (_, i) => ({
      lane: i % lanes,
      name: "pass",
      kind: i % 97 === 96 ? "timeout" : "step",
      received: i >= 2 ? [message(i - 2)] : [],
      sent: [message(i)],
      diffs: [{ lane: i % lanes, name: "seen", before: i < lanes ? -1 : i - lanes, after: i }],
    })),
    final: [],
    verdict: "violated",
    property: "bounded",
    explanation: [{ lane: (steps - 1) % lanes, name: "seen", value: steps - 1 }],
  };
}

export { execFileSync };
