// A page in Debian's Chromium, headless. Whatever it prints on the console, throws or asks the network for is kept, and
// is an error of the test that opened it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { browserProgram } from "./support";

let browser: Browser | undefined;
const patience = Number(process.env["HEDDLE_PATIENCE"] ?? 240_000); // ms

export async function closeBrowser(): Promise<void> {
  await browser?.close();
}

export interface Opened {
  page: Page;
  context: BrowserContext;
  complaints: string[];
}

export interface Options {
  width?: number;
  height?: number;
  dark?: boolean;
  asks?: string; // the page may ask what lies below this address
  waitsFor?: string; // what says that the page is there; the page of a finding says so itself
  silent?: boolean; // false: what the console says does not matter
}

/** Opens an address, waits until the page shows something, hands it to `look`, and asserts that it was silent. */
export async function visit(url: string, look: (page: Page) => Promise<void>, options: Options = {}): Promise<void> {
  browser ??= await chromium.launch({
    executablePath: browserProgram,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.dark ? "dark" : "light",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(patience); // machines may be busy
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.stack ?? error.message}`));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (options.asks !== undefined && request.url().startsWith(options.asks)) return;
    if (request.url().split("#")[0] !== url.split("#")[0]) complaints.push(`request: ${request.url().slice(0, 200)}`);
  });
  try {
    await page.goto(url, { timeout: patience });
    await page.waitForSelector(options.waitsFor ?? "#page[data-ready]", { timeout: patience });
    await look(page);
    await page.waitForTimeout(50);
    if (options.silent !== false) assert.deepEqual(complaints, [], "the page is silent");
  } finally {
    await context.close();
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The serious findings of axe-core, a line each. */
export async function accessibility(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const checker = (
      globalThis as unknown as {
        axe: {
          run(what: unknown): Promise<{
            violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
          }>;
        };
      }
    ).axe;
    const { violations } = await checker.run(document);
    return violations
      .filter((one) => one.impact === "serious" || one.impact === "critical")
      .map(
        (one) =>
          `${one.id}: ${one.nodes
            .slice(0, 3)
            .map((node) => `${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 200)}`)
            .join(" | ")}`,
      );
  });
}

export async function text(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).first().innerText()).trim();
}

/** The sentence of the step under the cursor, as a screen reader hears it. */
export async function heard(page: Page): Promise<string> {
  return page.evaluate(() => {
    const active = document.querySelector('[role="listbox"]')?.getAttribute("aria-activedescendant");
    return active ? (document.getElementById(active)?.getAttribute("aria-label") ?? "") : "";
  });
}
