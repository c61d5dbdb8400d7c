// A page of each kind of finding, made by the program: it opens without a word on the console and without a request, is
// walked through by keyboard, and axe-core has nothing serious to say of any panel. What arrows and values must be is
// read from the traces, not from the page.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { after } from "node:test";
import type { Page } from "playwright-core";
import { accessibility, closeBrowser, heard, text, visit } from "./browser";
import { folder, runHeddle, sourceTree } from "./support";

after(closeBrowser);

interface Kind {
  name: string;
  words: string[];
  panels: string[];
  verdict: string;
  says: RegExp;
}

const stack = "treiber_stack.cpp";
copyFileSync(join(sourceTree, "examples/native", stack), join(folder, stack));
const examples = (name: string): string => join(sourceTree, "examples", name);

const kinds: Kind[] = [
  {
    name: "invariant",
    words: ["check", "two_phase_commit", "--bug", "commit_early"],
    panels: ["run", "statistics"],
    verdict: "violated",
    says: /consistent is false after step 5/,
  },
  {
    name: "raft",
    words: ["check", "raft", "--bug", "commit_older_term"],
    panels: ["run", "statistics"],
    verdict: "violated",
    says: /leader completeness is false after step 10/,
  },
  {
    name: "holds",
    words: ["check", "paxos"],
    panels: ["statistics"],
    verdict: "holds",
    says: /Every reachable state was looked at, 181 states/,
  },
  {
    name: "unknown",
    words: ["check", "paxos", "--reduce", "none", "--depth", "3"],
    panels: ["statistics"],
    verdict: "unknown",
    says: /no proof/,
  },
  {
    name: "refinement",
    words: ["check", "flexible_paxos", "--bug", "ignore_votes"],
    panels: ["run", "refinement", "statistics"],
    verdict: "violated",
    says: /It calls add\(2, 2, 0\).*round 1 is committed/s,
  },
  {
    name: "history-of-model",
    words: ["check", "erroneous_register"],
    panels: ["run", "history", "statistics"],
    verdict: "violated",
    says: /returned none, but at every moment/,
  },
  {
    name: "native",
    words: ["check", stack, "--", "-DBUG_BLIND_POP"],
    panels: ["run", "history", "source", "statistics"],
    verdict: "violated",
    says: /one at a time its calls give/,
  },
  {
    name: "root-cause",
    words: ["explain", stack, "--", "-DBUG_BLIND_POP"],
    panels: ["source", "statistics"],
    verdict: "violated",
    says: /Lines 66 to 69 of Stack::pop must be atomic/,
  },
  {
    name: "history",
    words: ["lin", examples("histories/stale_read.edn"), "--spec", "register"],
    panels: ["history", "statistics"],
    verdict: "violated",
    says: /returned 1, but at every moment/,
  },
  {
    name: "transactions",
    words: ["serializable", examples("histories/write_skew.edn")],
    panels: ["transactions", "statistics"],
    verdict: "violated",
    says: /write skew/,
  },
  {
    name: "calls",
    words: ["refine", examples("calls/overtaken.jsonl")],
    panels: ["statistics"],
    verdict: "holds",
    says: /Nothing is violated/,
  },
  {
    name: "schedules",
    words: ["schedules", "distributed_register", "--harness", "1R+1W", "--scheduler", "EX"],
    panels: ["statistics"],
    verdict: "holds",
    says: /./,
  },
  {
    name: "faults",
    words: [
      "simulate",
      "zab",
      "--network",
      "multiset",
      "--crashes",
      "2",
      "--recovery",
      "--loss",
      "3",
      "--duplicate",
      "3",
      "--partitions",
      "3",
    ],
    panels: ["run", "statistics"],
    verdict: "unknown",
    says: /says nothing about other runs/,
  },
];

/** Writes the page, and for those with a trace the trace beside it. */
function made(kind: Kind): { url: string; trace: { [key: string]: any } | undefined } {
  const file = join(folder, `${kind.name}.html`),
    traceFile = join(folder, `${kind.name}.json`);
  const at = kind.words.indexOf("--");
  const traces = ["check", "simulate"].includes(kind.words[0]!) ? ["--trace", traceFile] : [];
  const options = ["--html", file, "-q", ...traces];
  if (!existsSync(file))
    runHeddle(
      ...(at < 0 ? [...kind.words, ...options] : [...kind.words.slice(0, at), ...options, ...kind.words.slice(at)]),
    );
  return {
    url: `file://${file}`,
    trace: existsSync(traceFile) ? (JSON.parse(readFileSync(traceFile, "utf8")) as { [key: string]: any }) : undefined,
  };
}

const kind = (name: string): Kind => kinds.find((one) => one.name === name)!;

for (const one of kinds) {
  test(`a page of the kind ${one.name}`, async () => {
    const { url } = made(one);
    await visit(url, async (page) => {
      assert.match(await text(page, ".badge"), new RegExp(one.verdict));
      assert.match(await text(page, ".explanation"), one.says);
      assert.deepEqual(
        await page.locator('[role="tab"]').evaluateAll((tabs) => tabs.map((tab) => tab.id.slice(4))),
        one.panels,
      );
      for (let i = 0; i < one.panels.length; ++i) {
        await page.keyboard.press(String(i + 1));
        assert.equal(await page.locator(`#panel-${one.panels[i]}`).isVisible(), true);
        assert.equal(new URL(page.url()).hash.split("/")[0], `#${one.panels[i]}`);
        assert.deepEqual(await accessibility(page), [], one.panels[i]);
        assert.equal((await page.locator(".panel:visible").innerText()).trim() === "", false, "never an empty panel");
      }
      assert.ok((await page.locator("*").count()) < 3_000);
    });
    await visit(url, async (page) => assert.deepEqual(await accessibility(page), []), {
      dark: true,
      width: 900,
      height: 700,
    });
  });
}

// --- What is drawn and said, against the trace.

interface Arrow {
  step: number;
  lane: string;
  from: string;
  start: number;
  end: number;
}

/** All rows are in sight of a very tall window. */
const tall = { width: 1600, height: 4_000 };

async function lanesOf(page: Page): Promise<Map<string, number>> {
  const all = await page.locator(".lanename").evaluateAll((names) =>
    names.map((name) => {
      const box = name.getBoundingClientRect();
      return [name.getAttribute("aria-label")!.replace("Hide lane ", ""), box.left + box.width / 2] as [string, number];
    }),
  );
  return new Map(all);
}

async function arrowsOf(page: Page): Promise<Arrow[]> {
  return page.locator(".drawing path.arrow[data-step]").evaluateAll((paths) =>
    paths.map((path) => {
      const line = path as SVGPathElement;
      const box = line.ownerSVGElement!.getBoundingClientRect();
      const start = line.getPointAtLength(0),
        end = line.getPointAtLength(line.getTotalLength());
      return {
        step: Number(line.dataset["step"]),
        lane: line.dataset["lane"]!,
        from: line.dataset["from"]!,
        start: box.left + start.x,
        end: box.left + end.x,
      };
    }),
  );
}

for (const name of ["invariant", "raft", "refinement", "faults", "history-of-model"]) {
  test(`arrows of ${name} go from the sender's lane to the receiver's`, async () => {
    const { url, trace } = made(kind(name));
    await visit(
      `${url}#run/1`,
      async (page) => {
        const lanes = await lanesOf(page);
        const arrows = await arrowsOf(page);
        let expected = 0;
        trace!["steps"].forEach((step: any, i: number) => {
          (step.received ?? []).forEach((message: any, place: number) => {
            ++expected;
            const arrow = arrows.filter((one) => one.step === i + 1)[place];
            assert.ok(arrow, `step ${i + 1} has an arrow`);
            const to = lanes.get(trace!["lanes"][message.to].name)!,
              from = lanes.get(trace!["lanes"][message.from].name)!;
            const nearest = (x: number): string =>
              [...lanes].reduce((best, lane) => (Math.abs(lane[1] - x) < Math.abs(best[1] - x) ? lane : best))[0];
            assert.equal(
              nearest(arrow.end),
              trace!["lanes"][message.to].name,
              `the arrow of step ${i + 1} ends at its receiver`,
            );
            assert.equal(
              nearest(arrow.start),
              trace!["lanes"][message.from].name,
              `the arrow of step ${i + 1} begins at its sender`,
            );
            if (from !== to)
              assert.equal(Math.sign(arrow.end - arrow.start), Math.sign(to - from), "and goes the right way");
          });
        });
        assert.equal(arrows.length, expected);
        assert.ok(expected > 0);
      },
      tall,
    );
  });
}

/** What a value looks like, if that is beyond doubt. */
function plain(value: any): string | undefined {
  if (typeof value === "object" && value !== null && Object.keys(value).join() === "value") value = value.value; // stands for what it holds
  if (typeof value === "string" && /^[a-z_]+$/.test(value) && !["none", "true", "false"].includes(value)) return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

for (const name of ["invariant", "raft", "refinement", "faults"]) {
  test(`values before and after each step of ${name} are those of the trace`, async () => {
    const { url, trace } = made(kind(name));
    const state = new Map<string, unknown>(
      (trace!["initial"] as any[]).map((one) => [`${one.lane} ${one.name}`, one.value]),
    );
    await visit(`${url}#run/1`, async (page) => {
      let compared = 0;
      for (const [i, step] of (trace!["steps"] as any[]).entries()) {
        if (i > 0) await page.keyboard.press("j");
        assert.match(
          await text(page, ".inspector header p"),
          new RegExp(`^step ${i + 1} of ${trace!["steps"].length}`),
        );
        assert.match(await heard(page), new RegExp(`^Step ${i + 1}: `));
        for (const diff of step.diffs ?? []) {
          const before = plain(state.get(`${diff.lane} ${diff.name}`)),
            now = plain(diff.after);
          state.set(`${diff.lane} ${diff.name}`, diff.after);
          if (before === undefined || now === undefined) continue;
          const row = page.locator(`.field.changed:has([data-key="${diff.lane} ${diff.name}"])`).first();
          assert.equal(await row.locator("del").innerText(), before, `before step ${i + 1}: ${diff.name}`);
          assert.equal(await row.locator("ins").innerText(), now, `after step ${i + 1}: ${diff.name}`);
          const shown = page
            .locator(`details.lane .field:has([data-key="${diff.lane} ${diff.name}"])`)
            .first()
            .locator("> span");
          if ((await shown.count()) > 0)
            assert.equal(await shown.innerText(), now, `state after step ${i + 1}: ${diff.name}`);
          ++compared;
        }
      }
      assert.ok(compared > 2, `${compared} values compared`);
    });
  });
}

test("sentences and drawing of a run are as in the golden file", async () => {
  const { url } = made(kind("faults"));
  await visit(
    `${url}#run/1`,
    async (page) => {
      const rows = await page.locator(".row").evaluateAll((all) => all.map((row) => row.getAttribute("aria-label")));
      const marks = await page
        .locator(".drawing [data-mark]")
        .evaluateAll((all) =>
          all.map(
            (mark) =>
              `${mark.getAttribute("data-mark")} on lane ${mark.getAttribute("data-lane")}: ${[...mark.children].map((one) => `${one.tagName} ${one.getAttribute("class")}`).join(", ")}`,
          ),
        );
      const arrows = (await arrowsOf(page)).map(
        (one) => `arrow in row ${one.step} from step ${one.from} to lane ${one.lane}`,
      );
      const drawn = [...rows, "", ...marks, "", ...arrows].join("\n") + "\n";
      const file = join(sourceTree, "web/test/golden/faults.txt");
      if (process.env["HEDDLE_REFRESH_GOLDEN"]) writeFileSync(file, drawn);
      assert.equal(drawn, readFileSync(file, "utf8"));
    },
    tall,
  );
});

// --- What the reader can do.

test("keys move the cursor, and a link leads back to it", async () => {
  const { url } = made(kind("raft"));
  await visit(url, async (page) => {
    const step = (): Promise<string> => text(page, ".inspector header p");
    assert.match(await step(), /^step 10 of 10/);
    await page.keyboard.press("ArrowUp");
    assert.match(await step(), /^step 9 of 10/);
    assert.equal(new URL(page.url()).hash, "#run/9");
    await page.keyboard.press("s"); // to the send of what came in
    assert.match(await step(), /^step 8 of 10/);
    await page.keyboard.press("r");
    assert.match(await step(), /^step 9 of 10/);
    await page.keyboard.press("[");
    assert.match(await step(), /^step 7 of 10/);
    await page.keyboard.press("Home");
    assert.match(await step(), /^step 1 of 10/);
    await page.keyboard.press("ArrowUp");
    assert.match(await step(), /^step 1 of 10/);
    await page.keyboard.press("PageDown");
    assert.match(await step(), /^step 10 of 10/);
    await page.locator(".readvalue").nth(1).click();
    assert.match(await step(), /^step 9 of 10/);
    await page.goto(`${url}#run/4`);
    assert.match(await step(), /^step 4 of 10/);
    await page.keyboard.press("?");
    assert.equal(await page.locator("dialog").isVisible(), true);
    await page.keyboard.press("Escape");
    await page.keyboard.press("t");
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(20, 24, 29)");
  });
});

test("search, matches and the filter", async () => {
  const { url } = made(kind("raft"));
  await visit(url, async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("campaign");
    await page.keyboard.press("Enter");
    assert.match(await text(page, ".tools [role=status]"), /^3 matches$/);
    assert.match(await heard(page), /campaign/);
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    assert.match(await heard(page), /^Step 3: replica 1 campaign/);
    assert.equal(await page.locator(".row.match").count(), 3);

    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("checkbox", { name: "replica 2" }).uncheck();
    assert.equal(await page.locator('.lanename[aria-label="Hide lane replica 2"]').count(), 0);
    assert.match(await text(page, ".row.folded"), /folded · replica 2/);
    await page.locator(".popover select").first().selectOption("VoteRequest");
    await page.getByRole("button", { name: "Show everything" }).click();
    assert.equal(await page.locator(".row.folded").count(), 0);
    await page.getByRole("button", { name: "Filter" }).click();
    await page.locator(".popover select").first().selectOption("Vote");
    await page.keyboard.press("Escape");
    const left = await page.locator(".row:not(.folded)").evaluateAll((rows) => rows.map((row) => row.id));
    assert.deepEqual(left, ["step-3", "step-5", "step-6", "step-7", "step-8", "step-10"]); // the cursor, the Vote messages, the verdict
    await page.locator(".row.folded").first().click();
    assert.ok((await page.locator(".row:not(.folded)").count()) > left.length);
  });
});

test("a watched field has a time line, a value leads to its step, values unfold", async () => {
  const { url } = made(kind("raft"));
  await visit(url, async (page) => {
    await page.locator('details.lane [data-key="0 term"]').first().click();
    assert.match(await text(page, ".watched"), /replica 1 term/);
    assert.equal(await page.locator(".strip .cell").count(), 3);
    await page.locator('details.lane .field:has([data-key="0 term"]) button.value').click();
    assert.match(await text(page, ".inspector header p"), /^step 3 of 10/);
    await page.keyboard.press("End");
    assert.match(await text(page, ".watched .field"), /3/);
  });
});

test("folding what does not matter keeps faults, the cursor and the verdict; the causal past is marked", async () => {
  const { url } = made(kind("raft"));
  await visit(url, async (page) => {
    await page.keyboard.press("c");
    assert.equal(await page.locator(".drawing .cut").count(), 1);
    const pale = await page.locator(".row.pale").evaluateAll((rows) => rows.map((row) => row.id));
    assert.deepEqual(pale, ["step-6"]); // "lead" of replica 2 comes after what replica 3 told it, and nobody heard of it
  });
});

test("the run can be copied as text, SVG, Mermaid and for ShiViz", async () => {
  const { url, trace } = made(kind("faults"));
  await visit(url, async (page) => {
    const copied = async (name: string): Promise<string> => {
      await page.getByRole("button", { name: "Copy", exact: true }).last().click();
      await page.getByRole("menuitem", { name, exact: true }).click();
      await page.waitForTimeout(100);
      return page.evaluate(() => navigator.clipboard.readText());
    };
    assert.match(
      await copied("Text"),
      /^unknown: .*\nheddle simulate zab [^\n]*\n\nStep 1: partition A: replica 1, replica 2 \| B: replica 3/s,
    );
    assert.match(await copied("Mermaid diagram"), /^sequenceDiagram\n {2}participant L0 as replica 1/);
    assert.match(await copied("Log for ShiViz"), /^\(\?<host>/);
    assert.match(await copied("Link to this step"), /#run\/28$/);
    const svg = await copied("SVG picture");
    assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    assert.match(svg, /<text[^>]*>replica 3<\/text>/);
    assert.equal(
      svg.match(/<path class="arrow/g)?.length,
      trace!["steps"].flatMap((step: any) => step.received ?? []).length,
    );
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Copy", exact: true }).last().click();
    await page.getByRole("menuitem", { name: "Save log for ShiViz" }).click();
    assert.equal((await saving).suggestedFilename(), "heddle-run-shiviz.log");
  });
});

test("a history: the core, the order, the one that fits nowhere", async () => {
  const { url } = made(kind("history-of-model"));
  await visit(`${url}#history/op-1`, async (page) => {
    assert.match(await text(page, ".chosenop"), /client 1: write\(1\).*1\. in the order, then the object is 1.*core/s);
    await page.keyboard.press("Tab");
    await page.locator("#panel-history").focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await text(page, ".chosenop"), /client 2: read → none.*fits nowhere/s);
    assert.equal(new URL(page.url()).hash, "#history/op-2");
    assert.equal(await page.locator(".timeline .wrong").count(), 1);
    assert.equal(await page.locator(".timeline .placed .moment").count(), 1);
    await page.getByRole("button", { name: "to its step in the run" }).click();
    assert.match(await heard(page), /invoke|calls read/);
  });
});

test("the source of a program: the current line of each thread, columns, blocks and the cycle", async () => {
  await visit(`${made(kind("native")).url}#source/9`, async (page) => {
    assert.match(await text(page, ".source .line.current"), /69[\s\S]*T1[\s\S]*top_ = top->next\.load\(\)/);
    assert.match(await text(page, ".interleaving thead"), /main[\s\S]*thread 1[\s\S]*thread 2/);
    await page.keyboard.press("j");
    assert.match(await text(page, ".interleaving tr.chosen"), /10[\s\S]*W[\s\S]*← none/);
  });
  await visit(made(kind("root-cause")).url, async (page) => {
    const marked = await page.locator(".source .line.marked .no").allInnerTexts();
    assert.deepEqual(
      marked.map((one) => one.trim()),
      ["66", "67", "68", "69"],
    );
    assert.match(
      await text(page, "#panel-source .box"),
      /\(a\) thread 1 writes at line 69 what thread 2 writes later, at line 69/,
    );
    assert.match(await text(page, "#panel-source"), /Stack::pop, lines 66 to 69[\s\S]*verified on 78 clients/);
  });
});

test("the object of a refinement grows with the cursor", async () => {
  await visit(`${made(kind("refinement")).url}#refinement/4`, async (page) => {
    assert.equal(await page.locator(".tree circle").count(), 1);
    await page.keyboard.press("j");
    assert.equal(await page.locator(".tree circle").count(), 2);
    await page.goto(page.url().replace(/#.*/, "#refinement/11"));
    assert.equal(await page.locator(".tree .bad circle.rejection").count(), 1);
    assert.match(await text(page, "#panel-refinement"), /extendsTrunk \(P4\)/);
  });
});

test("paper has every panel, and the whole run", async () => {
  const { url } = made(kind("raft"));
  await visit(url, async (page) => {
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    assert.equal(await page.locator("#panel-statistics").isVisible(), true);
    assert.equal(await page.locator(".row").count(), 10);
    assert.equal(await page.locator(".tools").isVisible(), false);
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    assert.ok((await page.pdf({ format: "A4" })).length > 20_000);
  });
});
