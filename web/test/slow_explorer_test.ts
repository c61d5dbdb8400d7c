// The explorer, driven in a browser as a person would: from the first state to a violation and back, in two windows; and
// what strangers get who ask it.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { after } from "node:test";
import type { Page } from "playwright-core";
import { accessibility, closeBrowser, heard, text, visit, type Options } from "./browser";
import { endAll, serve } from "./server";
import { folder, runHeddle, sourceTree } from "./support";

after(closeBrowser);
after(endAll);

const lock = "lock.cpp";
copyFileSync(join(sourceTree, "examples", lock), join(folder, lock));
const forgetful = [lock, "--bug", "forgetful"];

/** Waits until the window is at a path. */
async function at(page: Page, path: string): Promise<void> {
  await page.waitForFunction((wanted) => location.hash.startsWith(`#path=${wanted};`), path);
  await page.waitForSelector(".finding:not([aria-busy])");
}

async function choose(page: Page, words: RegExp): Promise<void> {
  const before = await page.evaluate(() => location.hash.split(";")[0]);
  await page.locator(".choice").filter({ hasText: words }).first().click();
  await page.waitForFunction((old) => location.hash.split(";")[0] !== old, before);
  await page.waitForSelector(".finding:not([aria-busy])");
}

function window(url: string, look: (page: Page) => Promise<void>, options: Options = {}): Promise<void> {
  return visit(url, look, { ...options, asks: `${url.split("#")[0]!}api/` });
}

test("steps lead from the first state to a violation and back, in two windows at once", async () => {
  const explorer = await serve(forgetful);
  await window(explorer.url, async (one) => {
    await at(one, "0:");
    assert.match(await text(one, ".inspector .empty"), /no step/);
    assert.equal(await text(one, ".badge"), "exploring");
    assert.match(await text(one, ".missing"), /client 1 enter\s+no Grant has arrived/);
    await window(explorer.url, async (other) => {
      await choose(one, /client 1 ask/);
      await choose(other, /client 2 ask/);
      await choose(one, /server grant/);
      await choose(other, /server grant/);
      await choose(one, /client 1 enter/);
      // The guard that keeps the client from asking again.
      assert.match(await text(one, ".missing"), /client 1 ask\s+the guard at lock\.cpp:\d+ is false/);
      await choose(one, /client 2 ask/);
      await choose(one, /server grant/);
      await choose(one, /client 2 enter/);
      assert.match(await text(one, ".badge"), /violated/);
      assert.match(await text(one, ".properties .bad"), /mutual exclusion is false here/);
      assert.match(await heard(one), /Step 6: client 2 enter/);
      // The other window has its own path.
      assert.match(await heard(other), /Step 2: server grant/);
      assert.equal(await other.locator(".properties .bad").count(), 0);
      await choose(other, /client 2 enter/);
      assert.match(await text(other, ".properties .ok"), /mutual exclusion holds here/);
    });
    // Back by the button, by the browser and by a key.
    await one.getByRole("button", { name: "Back" }).click();
    await one.waitForFunction(() => /path=0:[\d.]+;/.exec(location.hash)![0].split(".").length === 5);
    await one.waitForSelector(".finding:not([aria-busy])");
    assert.equal(await one.locator(".properties .bad").count(), 0);
    await one.goBack();
    await one.waitForSelector(".properties .bad");
    await one.keyboard.press("Backspace");
    await one.waitForSelector(".properties .bad", { state: "detached" });
    await one.getByRole("button", { name: "Start over" }).click();
    await at(one, "0:");
  });
  const { text: printed, code } = await explorer.end();
  assert.match(printed, /ended: the explorer of lock; \d+ states looked at/);
  assert.equal(code, 0);
});

test("an address leads to its state, and the cursor leads to a fork", async () => {
  const explorer = await serve(forgetful);
  await window(`${explorer.url}#path=0:0.1.0;run/2`, async (page) => {
    await at(page, "0:0.1.0");
    assert.match(await heard(page), /^Step 2: /);
    await page.getByRole("button", { name: "Go on from step 2" }).click();
    await at(page, "0:0.1");
    assert.equal(await page.locator(".fork").getAttribute("href"), "#path=0:0.1;run/2");
  });
  await window(`${explorer.url}#path=0:7.7;run`, async (page) => {
    assert.match(await text(page, ".trouble"), /cannot go this way: after 0 steps there are \d choices, so none is number 8/);
  }, { silent: false });
  await explorer.end();
});

test("a run is made by keyboard alone", async () => {
  const explorer = await serve(forgetful);
  await window(explorer.url, async (page) => {
    await page.keyboard.press("e");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await at(page, "0:1");
    await page.keyboard.press("Enter");
    await at(page, "0:1.0");
    assert.match(await page.evaluate(() => document.activeElement?.className ?? ""), /choice/);
  });
  await explorer.end();
});

test("the checker searches in the background, and what it finds becomes the run; paths are saved", async () => {
  const explorer = await serve(forgetful);
  await window(explorer.url, async (page) => {
    await page.getByRole("button", { name: "Check every schedule" }).click();
    await page.getByRole("button", { name: /Show how mutual exclusion is violated, in 6 steps/ }).click();
    await page.waitForSelector(".properties .bad");
    assert.match(await text(page, ".figures"), /^violated: mutual exclusion at depth 6/);
    const saved = async (name: string): Promise<string> => {
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name }).click();
      return readFileSync(await (await download).path(), "utf8");
    };
    writeFileSync(join(folder, "saved.json"), await saved("Trace"));
    assert.match(runHeddle("replay", "saved.json"), /violated: mutual exclusion/);
    assert.match(await saved("GoogleTest"), /TEST\(Lock, MutualExclusion\) \{/);
  });
  await explorer.end();
});

test("nothing serious is said by axe-core, in light and dark", async () => {
  const explorer = await serve(forgetful);
  for (const dark of [false, true]) {
    await window(
      `${explorer.url}#path=0:0.0.0.0.1.1;run/6`,
      async (page) => {
        await page.waitForSelector(".properties .bad");
        assert.deepEqual(await accessibility(page), []);
      },
      { dark },
    );
  }
  await explorer.end();
});

test("a request without the token and a page from another origin are refused", async () => {
  const explorer = await serve(forgetful);
  for (const path of ["/", "/api/progress", "/0123456789abcdef0123456789abcdef/", "/favicon.ico"]) {
    const answer = await fetch(explorer.origin + path);
    assert.equal(answer.status, 403);
    assert.match(await answer.text(), /lacks the token/);
  }
  // A page that has even got hold of the token.
  const stranger = createServer((_, response) => response.setHeader("Content-Type", "text/html").end("<p>hello</p>"));
  await new Promise<void>((done) => stranger.listen(0, "127.0.0.1", done));
  const { port } = stranger.address() as AddressInfo;
  const results: string[] = [];
  try {
    await visit(
      `http://127.0.0.1:${port}/`,
      async (page) => {
        const asked = await page.evaluate(async (url) => {
          const tries: string[] = [];
          for (const mode of ["cors", "no-cors"] as const) {
            try {
              const answer = await fetch(`${url}api/progress`, { mode });
              tries.push(`${answer.type} ${(await answer.text()).length}`);
            } catch {
              tries.push("refused");
            }
          }
          return tries;
        }, explorer.url);
        results.push(...asked);
      },
      { asks: explorer.url, waitsFor: "p", silent: false },
    );
    assert.deepEqual(results, ["refused", "refused"]);
  } finally {
    stranger.close();
  }
  await explorer.end();
});

test("a connection that breaks in the middle of a search is a sentence", async () => {
  const explorer = await serve(["paxos", "-p", "proposers=5", "-p", "acceptors=5", "--network", "multiset"]);
  await window(
    explorer.url,
    async (page) => {
      await page.getByRole("button", { name: "Check every schedule" }).click();
      await page.waitForFunction(() => /Searching: [1-9]/.test(document.querySelector(".figures")?.textContent ?? ""));
      await page.context().setOffline(true);
      await page.waitForFunction(() => /does not answer/.test(document.querySelector(".figures")?.textContent ?? ""));
      await page.context().setOffline(false);
      // The search has gone on.
      await page.waitForFunction(() => /Searching: [1-9]/.test(document.querySelector(".figures")?.textContent ?? ""));
      await page.getByRole("button", { name: "Stop" }).click();
      await page.waitForFunction(() => /^unknown: interrupted/.test(document.querySelector(".figures")?.textContent ?? ""));
    },
    { silent: false },
  );
  await explorer.end();
});

test("programs, nets and networks with faults are explored, too", async () => {
  const stack = "treiber_stack.cpp";
  copyFileSync(join(sourceTree, "examples/native", stack), join(folder, stack));
  for (const [words, waits] of [
    [[stack, "--", "-DBUG_BLIND_POP"], /waits for the end of thread 1/],
    [[join(sourceTree, "examples/nets/philosophers.net")], /place \S+ has 0 of 1 token/],
    [["zab", "--network", "multiset", "--crashes", "1", "--loss", "1", "--partitions", "1"], /no \S+ has arrived/],
  ] as [string[], RegExp][]) {
    const explorer = await serve(words);
    await window(explorer.url, async (page) => {
      for (let i = 0; i < 3; ++i) {
        const path = await page.evaluate(() => location.hash.split(";")[0]);
        await page.locator(".choice").first().click();
        await page.waitForFunction((old) => location.hash.split(";")[0] !== old, path);
        await page.waitForSelector(".finding:not([aria-busy])");
      }
      assert.match(await heard(page), /^Step 3: /);
      await page.locator(".missing").evaluate((one) => one.setAttribute("open", ""));
      assert.match(await text(page, ".explorer"), waits);
      assert.deepEqual(await accessibility(page), []);
    });
    await explorer.end();
  }
});
