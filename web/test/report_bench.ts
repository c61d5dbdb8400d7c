// The measurements of bench/report.sh.

import { readFileSync, statSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";
import { gzipSync } from "node:zlib";
import { browserProgram, document, pageFile, pageHolding, ring } from "./support";

const rounds = Number(process.env["HEDDLE_ROUNDS"] ?? 3);
const lanes = 100;
const bytes = (count: number): string =>
  count < 1e6 ? `${(count / 1e3).toFixed(0)} kB` : `${(count / 1e6).toFixed(1)} MB`;

interface Measured {
  open: number;
  decode: number;
  show: number;
  layout: number;
  elements: number;
  memory: number;
}

async function open(browser: Browser, url: string): Promise<Measured> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const started = performance.now();
  await page.goto(url);
  await page.waitForSelector("#page[data-ready]", { timeout: 120_000 });
  const ready = performance.now() - started;
  const session = await context.newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const data = await page.evaluate(
    () => ({ ...(globalThis as any).document.getElementById("page").dataset }) as Record<string, string>,
  );
  const elements = await page.locator("*").count();
  await context.close();
  return {
    open: ready,
    decode: Number(data["decodeMs"]),
    show: Number(data["showMs"]),
    layout: Number(data["layoutMs"]),
    elements,
    memory: usedSize,
  };
}

function least(all: Measured[]): Measured {
  const of = (key: keyof Measured): number => Math.min(...all.map((one) => one[key]));
  return {
    open: of("open"),
    decode: of("decode"),
    show: of("show"),
    layout: of("layout"),
    elements: Math.max(...all.map((one) => one.elements)),
    memory: of("memory"),
  };
}

const browser = await chromium.launch({
  executablePath: browserProgram,
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
const measure = async (url: string): Promise<Measured> => {
  const all: Measured[] = [];
  for (let i = 0; i < rounds; ++i) all.push(await open(browser, url));
  return least(all);
};

const page = readFileSync(pageFile);
console.log(`page without a finding: ${bytes(page.length)} (gzip ${bytes(gzipSync(page).length)})\n`);
await open(browser, pageHolding(document(ring(1, 1)))); // the browser warms up
const empty = await measure(pageHolding(document(ring(1, 1))));
console.log(
  `| steps, ${lanes} lanes | trace | page | open | empty page + parsing | ratio | preparing and layout | elements | memory / trace |`,
);
console.log("|---|---|---|---|---|---|---|---|---|");
const times: [number, number][] = [];
for (const steps of [1_000, 10_000, 100_000]) {
  const trace = document(ring(steps, lanes));
  const url = pageHolding(trace);
  const one = await measure(url);
  times.push([steps, one.layout]);
  const base = empty.open + one.decode;
  console.log(
    `| ${steps} | ${bytes(trace.length)} | ${bytes(statSync(new URL(url)).size)} | ${one.open.toFixed(0)} ms | ${base.toFixed(0)} ms | ${(one.open / base).toFixed(2)} | ${one.layout.toFixed(1)} ms | ${one.elements} | ${((one.memory - empty.memory) / trace.length).toFixed(1)} |`,
  );
}
await browser.close();

// Least squares on logarithms.
const x = times.map(([steps]) => Math.log(steps)),
  y = times.map(([, ms]) => Math.log(ms));
const mean = (all: number[]): number => all.reduce((sum, one) => sum + one, 0) / all.length;
const slope =
  x.reduce((sum, one, i) => sum + (one - mean(x)) * (y[i]! - mean(y)), 0) /
  x.reduce((sum, one) => sum + (one - mean(x)) ** 2, 0);
console.log(`\npreparing and layout grow with the power ${slope.toFixed(2)} of the steps`);
