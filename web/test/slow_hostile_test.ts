// Findings that want to do harm, or are merely too large: markup and script in every string, control characters and
// marks of direction, names of 10 MB, 10^6 steps, schemas that are wrong. Nothing of them is executed, nothing hangs;
// there is the page with what can be shown and a line that says what is left out, or an error in words.

import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { after } from "node:test";
import { closeBrowser, text, visit } from "./browser";
import { document, folder, pageHolding, ring, runHeddle, type TraceJson } from "./support";

after(closeBrowser);

const markup = [
  "<script>alert(1)</script>",
  "</script><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '"><svg onload=alert(1)>',
  "javascript:alert(1)",
  "{{constructor.constructor('alert(1)')()}}",
  "<style>*{display:none}</style>",
  "<a href='javascript:alert(1)'>x</a>",
  "${alert(1)}",
  "<!--",
  "]]>",
  "&lt;b&gt;",
  "__proto__",
  "constructor",
  "toString",
];

/** A trace with this text wherever a text can stand. */
function everywhere(evil: string): TraceJson {
  const value = { [evil]: evil, list: [evil], op: evil };
  return {
    format: "heddle-trace",
    version: 1,
    model: evil,
    parameters: { [evil]: evil },
    bug: evil,
    options: { [evil]: evil },
    lanes: [
      { name: evil, role: evil, process: evil },
      { name: `${evil} 2`, role: evil, process: `${evil} 2` },
      { name: `${evil} 3`, role: "", process: evil },
    ],
    initial: [{ lane: 0, name: evil, value }],
    verdict: "violated",
    property: evil,
    explanation: [
      { lane: 0, name: evil, value: evil },
      { lane: 0, name: "because", value: evil },
    ],
    steps: ["step", "timeout", "crash", "recover", "byzantine", "partition", "heal", "lose", "duplicate", evil].map(
      (kind) => ({
        lane: 0,
        name: evil,
        kind,
        choice: [evil, [evil]],
        received: [
          { type: evil, from: 1, to: 0, body: value },
          { type: evil, from: 0, to: 0, body: value },
        ],
        sent: [{ type: evil, from: 0, to: 1, body: value }],
        operations: [
          { kind: "invoke", lane: 0, value },
          { kind: "return", lane: 0, value: evil },
        ],
        calls: [
          { object: `${evil} 3`, call: evil, answer: evil },
          { object: evil, call: `add(${evil}, 1, 2)`, answer: "rejected" },
        ],
        diffs: [
          { lane: 0, name: evil, before: value, after: evil },
          {
            lane: 2,
            name: "",
            before: [],
            after: [
              { round: evil, value: evil, parent: evil, status: "ADDED" },
              { round: "a", parent: "b" },
              { round: "b", parent: "a" },
            ],
          },
        ],
        place: { file: evil, line: 1, function: evil, stack: [] },
        accesses: [{ object: evil, part: evil, kind: evil, before: evil, after: evil, place: { file: evil, line: 2 } }],
        output: evil,
      }),
    ),
  };
}

function everywhereInRun(evil: string): Record<string, unknown> {
  return {
    verdict: "violated",
    error: evil,
    model: evil,
    parameters: { [evil]: evil },
    bug: evil,
    options: {},
    property: evil,
    properties: [{ name: evil, kind: evil, result: evil }],
    stopped_by: evil,
    note: evil,
    states: 1,
    seconds: 1,
    reductions: [evil],
    search: evil,
    growth: [evil],
    warnings: [evil],
    coverage: {
      transitions: [{ name: evil, executed: 1, inputs: 1, accepted: 1, guards: [{ place: evil, rejected: 1 }] }],
      messages: [{ name: evil }],
      never: [evil],
    },
    failure: { lane: evil, text: evil },
    refinement: { object: evil, call: evil, witness: evil, clause: evil, quorums: [evil] },
    client: evil,
    repairs: [
      { rank: 1, blocks: [{ file: evil, function: evil, first_line: 1, last_line: 2 }], why: evil, standing: evil },
    ],
    cycle_accesses: [
      { thread: 1, event: "write", call: evil, file: evil, line: 1, conflicts: [0] },
      { thread: 2, event: "return", call: evil, file: null, line: null, conflicts: [0] },
    ],
    cycle: [{ from: {}, to: {} }],
    levels: [{ name: evil, verdict: evil }],
    shown: [{ name: evil, text: evil }],
    edges: [{ from: evil, to: evil, kind: evil, reason: evil }],
    anomaly: evil,
    schedulers: [{ name: evil }],
    files: [{ file: evil, finding: evil }],
    finding: evil,
    history: {
      subject: evil,
      spec: evil,
      sentences: [evil, evil],
      stuck: 0,
      core: [0],
      order: [{ operation: 0, object: evil }],
      operations: [{ process: evil, text: evil, begin: 0, end: 1, line: 1 }],
    },
    version: evil,
  };
}

async function walk(page: import("playwright-core").Page): Promise<void> {
  for (const key of ["1", "Home", "j", "j", "j", "j", "c", "f", "w", "2", "ArrowRight", "3", "4", "5", "6", "1", "End"])
    await page.keyboard.press(key);
  assert.equal(
    await page.evaluate(
      () => [...window.document.querySelectorAll("script, img, iframe, object, embed, link, base, form")].length,
    ),
    1,
    "no element but the page's own script",
  );
  assert.equal(await page.evaluate(() => window.document.querySelectorAll("style").length), 1);
  assert.equal(
    await page.evaluate(() =>
      [...window.document.querySelectorAll("*")].some((one) =>
        [...one.attributes].some((attribute) => /^on/.test(attribute.name)),
      ),
    ),
    false,
  );
}

test("markup and script in every string are only text", async () => {
  for (const evil of markup) {
    const url = pageHolding(
      document(everywhere(evil), {
        run: everywhereInRun(evil),
        command: evil,
        heddle: evil,
        left_out: [evil],
        sources: [{ file: evil, first: 1, lines: [evil, evil] }],
      }),
    );
    await visit(url, async (page) => {
      await walk(page);
      assert.ok((await page.locator("body").innerText()).includes(evil.slice(0, 10)), "it is shown");
      assert.equal(await page.title(), `violated · ${evil} · ${evil} · bug ${evil}`.replace(/\s+/g, " "));
    });
  }
});

test("the same through the program", async () => {
  const file = join(folder, "evil.json");
  const evil = markup[1]!;
  const trace = everywhere(evil);
  (trace["steps"] as { kind: string; lane: number }[]).forEach(
    (step) => (step.kind = step.kind === evil ? "other" : step.kind),
  );
  writeFileSync(file, JSON.stringify(trace));
  runHeddle("report", file, "--html", join(folder, "evil.html"));
  assert.equal(readFileSync(join(folder, "evil.html"), "utf8").split("</script").length, 3, "the page's own two");
  await visit(`file://${join(folder, "evil.html")}`, walk);
});

test("control characters and marks of direction do not turn anything around", async () => {
  const evil = "safe\u202e\u2066gnp.exe\u0000\u0007\u001b[31m\u2028\ud800";
  await visit(pageHolding(document(everywhere(evil), { run: everywhereInRun(evil) })), async (page) => {
    await walk(page);
    const shown = await page.evaluate(
      () =>
        window.document.body.innerText +
        window.document.title +
        [...window.document.querySelectorAll("[title], [aria-label]")]
          .map((one) => `${one.getAttribute("title")}${one.getAttribute("aria-label")}`)
          .join(""),
    );
    assert.doesNotMatch(shown, /[\u202a-\u202e\u2066-\u2069\u0000\u0007\u001b\u2028]/);
    assert.match(shown, /safe␛␛gnp/);
  });
});

test("right-to-left names and those of any script stay as they are", async () => {
  await visit(pageHolding(document(everywhere("שרת ראשי"))), async (page) => {
    assert.match(await page.locator(".lanenames").innerText(), /שרת|ראשי/);
    await walk(page);
  });
  await visit(pageHolding(document(everywhere("Größenmaß 服务器 😀"))), walk);
});

test("names of 10 MB", async () => {
  const long = "n".repeat(10_000_000);
  const trace = { ...ring(20, 3), model: long, property: long };
  (trace as TraceJson)["lanes"] = [
    { name: long, role: long, process: long },
    { name: "b", role: "Node", process: "b" },
    { name: "c", role: "Node", process: "c" },
  ];
  (trace as TraceJson)["initial"] = [{ lane: 0, name: "seen", value: long }];
  await visit(pageHolding(document(trace)), async (page) => {
    assert.match(await text(page, ".leftout"), /Left out: \d+ names of more than 200 characters are cut\./);
    await walk(page);
    assert.ok((await page.content()).length < 2_000_000);
  });
});

test("a million steps: the last 100,000, and the page says so", async () => {
  const file = join(folder, "million.json");
  const step = (i: number): string =>
    `{"lane":${i % 2},"name":"s","diffs":[{"lane":${i % 2},"name":"n","before":${i - 2},"after":${i}}]}`;
  writeFileSync(
    file,
    `{"format":"heddle-trace","version":1,"model":"long","lanes":[{"name":"a","role":"R"},{"name":"b","role":"R"}],"initial":[{"lane":0,"name":"n","value":-2},{"lane":1,"name":"n","value":-1}],"steps":[${Array.from({ length: 1_000_000 }, (_, i) => step(i)).join(",")}],"verdict":"violated","property":"p"}`,
  );
  runHeddle("report", file, "--html", join(folder, "million.html"));
  assert.ok(statSync(join(folder, "million.html")).size < 6_000_000);
  await visit(`file://${join(folder, "million.html")}`, async (page) => {
    assert.match(
      await text(page, ".leftout"),
      /The run has 1,000,000 steps\. Only the last 100,000 are in this page\./,
    );
    assert.match(await text(page, ".inspector header p"), /step 1,000,000 of 1,000,000/);
    await page.keyboard.press("Home");
    assert.match(await text(page, ".inspector header p"), /step 900,001 of 1,000,000/);
    assert.match(await text(page, ".field.changed del"), /^899998$/);
    assert.ok((await page.locator("*").count()) < 3_000);
    // What the page itself gets too much of, it cuts, too.
    await page.keyboard.press("/");
    await page.keyboard.type("999999");
    await page.keyboard.press("Enter");
    assert.match(await text(page, ".tools [role=status]"), /matches|1 match/);
  });
});

test("10,000 steps on 100 lanes have at most 3,000 elements, wherever one looks", async () => {
  await visit(pageHolding(document(ring(10_000, 100))), async (page) => {
    for (const key of ["Home", "PageDown", "PageDown", "c", "f", "End", "c"]) {
      await page.keyboard.press(key);
      assert.ok((await page.locator("*").count()) <= 3_000, key);
    }
    assert.ok((await page.locator(".row").count()) < 80);
  });
});

test("wrong schemas are errors in words", async () => {
  const good = ring(5, 3);
  const steps = good["steps"] as unknown[];
  const wrong: [string, RegExp][] = [
    ["", /not JSON/],
    ["null", /should be an object/],
    ["[]", /should be an object/],
    ["{", /not JSON/],
    [document(null), /neither a trace nor a run/],
    [document([]), /trace should be an object/],
    [document({ ...good, lanes: null }), /lanes should be a list/],
    [document({ ...good, lanes: [null] }), /lanes\[0\] should be an object/],
    [document({ ...good, steps: {} }), /steps should be a list/],
    [document({ ...good, steps: [...steps, 7] }), /steps\[5\] should be an object, but is 7/],
    [document({ ...good, steps: [{ lane: 99, name: "x" }] }), /lane is 99, and the trace has 3 lanes/],
    [document({ ...good, steps: [{ lane: "0", name: "x" }] }), /lane is "0"/],
    [document(good, { version: 99 }), /newer Heddle/],
    [
      document({ ...good, lanes: Array.from({ length: 5_000 }, (_, i) => ({ name: `n${i}`, role: "N" })) }),
      /5,000 lanes; a page shows at most 2000/,
    ],
  ];
  for (const [made, words] of wrong) {
    await visit(pageHolding(made), async (page) => {
      assert.match(await text(page, ".message-page"), words);
      assert.equal(await page.locator('[role="alert"]').count(), 1);
    });
  }
});

test("odd but right: no steps, no lanes, one step, a run without anything", async () => {
  await visit(
    pageHolding(document({ format: "heddle-trace", version: 1, model: "m", lanes: [], steps: [], verdict: "holds" })),
    walk,
  );
  await visit(pageHolding(document({ ...ring(1, 1), steps: [] })), async (page) => {
    assert.match(await page.locator(".inspector").innerText(), /no step/);
  });
  await visit(pageHolding(document(ring(1, 1))), walk);
  await visit(pageHolding(document(null, { run: {} })), walk);
  await visit(
    pageHolding(document(ring(3, 2), { run: { history: { operations: [] }, levels: [], repairs: [] } })),
    walk,
  );
});

test("values nested 3,000 deep, and lists of a million, do not hang the page", async () => {
  let deep: unknown = 1;
  for (let i = 0; i < 3_000; ++i) deep = [deep];
  const wide = Array.from({ length: 1_000_000 }, (_, i) => i);
  const trace = {
    ...ring(4, 2),
    initial: [
      { lane: 0, name: "deep", value: deep },
      { lane: 0, name: "wide", value: wide },
    ],
  };
  (trace as TraceJson)["steps"] = [
    {
      lane: 0,
      name: "s",
      diffs: [
        { lane: 0, name: "deep", before: deep, after: [deep] },
        { lane: 0, name: "wide", before: wide, after: [...wide, 1] },
      ],
    },
  ];
  (trace as TraceJson)["explanation"] = [];
  await visit(pageHolding(document(trace)), async (page) => {
    await walk(page);
    await page.keyboard.press("1");
    for (let i = 0; i < 3; ++i) {
      const more = page.getByRole("button", { name: "more", exact: true }).first();
      if ((await more.count()) > 0) await more.click();
    }
    assert.ok((await page.locator("*").count()) < 3_000);
  });
});
