// The parts of the page that need no browser: reading findings, printing values, matching messages, values through time, the layout, what
// matters, and the forms in which a run can be copied. What is expected stands here; nothing of it is computed by the page's code.

import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { Causality, decisiveSteps, unrelated } from "../src/causality";
import { decode, keepDigits, NotAFinding, unpack } from "../src/decode";
import { asMermaid, asShiViz, asText, shivizExpression } from "../src/exporting";
import { Fields } from "../src/fields";
import type { Trace } from "../src/finding";
import { historyOf, momentsOf, placeOperations, type Operation } from "../src/historydata";
import { arrowY, partakingLanes, placeLanes, placeRails, placeRows } from "../src/layout";
import { match } from "../src/matching";
import { Run } from "../src/run";
import { clean, clip, counted, grouped, shortName } from "../src/text";
import { changes, messageText, valueText, type Json } from "../src/values";
import { findMatches, hiddenSteps, newView } from "../src/view";

/** Processor time: other work on the machine does not count. */
function processorMs(): number {
  return process.cpuUsage().user / 1000;
}

// --- A run of three processes: a sends to b and c; b receives, c's message is lost; b answers; a receives.

const lanes = ["a", "b", "c"].map((name) => ({ name, role: "Node", process: name }));
const ask = (to: number): unknown => ({ type: "Ask", from: 0, to, body: { round: 1 } });
const answer = { type: "Answer", from: 1, to: 0, body: {} };
const steps: unknown[] = [
  {
    lane: 0,
    name: "begin",
    kind: "timeout",
    sent: [ask(1), ask(2)],
    diffs: [{ lane: 0, name: "phase", before: "idle", after: "asking" }],
  },
  { lane: 2, name: "think", diffs: [{ lane: 2, name: "thoughts", before: 0, after: 1 }] },
  {
    lane: 1,
    name: "answer",
    received: [ask(1)],
    sent: [answer],
    diffs: [{ lane: 1, name: "log", before: [1], after: [1, { term: 2 }] }],
  },
  { lane: 2, name: "lose", kind: "lose", received: [ask(2)] },
  { lane: 0, name: "end", received: [answer], diffs: [{ lane: 0, name: "phase", before: "asking", after: "done" }] },
];
const traceJson = {
  format: "heddle-trace",
  version: 1,
  model: "asking",
  lanes,
  initial: [
    { lane: 0, name: "phase", value: "idle" },
    { lane: 1, name: "log", value: [1] },
  ],
  steps,
  verdict: "violated",
  property: "never done",
  explanation: [{ lane: 0, name: "phase", value: "done" }],
};

function pageText(trace: unknown, more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    format: "heddle-report",
    version: 1,
    heddle: "1",
    command: "",
    steps_before: 0,
    left_out: [],
    sources: [],
    run: null,
    trace,
    ...more,
  });
}
function traceOf(json: unknown): Trace {
  return decode(pageText(json)).trace!;
}
const trace = traceOf(traceJson);
const run = new Run(trace, 0);

// --- Reading.

test("what is packed comes out again", async () => {
  const text = pageText(traceJson);
  assert.equal(await unpack(gzipSync(text).toString("base64")), text);
});

test("what is damaged is an error in words", async () => {
  await assert.rejects(unpack("%%%"), /not base64/);
  await assert.rejects(unpack("AAAA"), /cannot be unpacked/);
  const refused: [string, RegExp][] = [
    ["{", /not JSON/],
    ["[]", /should be an object/],
    ["{}", /not a finding/],
    [pageText(null), /neither a trace nor a run/],
    [pageText(traceJson, { version: 2 }), /newer Heddle/],
    [pageText({ ...traceJson, lanes: 3 }), /lanes should be a list, but is 3/],
    [pageText({ ...traceJson, steps: [{ lane: 3, name: "x" }] }), /steps\[0\]\.lane is 3, and the trace has 3 lanes/],
    [pageText({ ...traceJson, steps: [{ lane: -1, name: "x" }] }), /steps\[0\]\.lane is -1/],
    [pageText({ ...traceJson, steps: [{ lane: 0.5, name: "x" }] }), /steps\[0\]\.lane is 0\.5/],
    [pageText({ ...traceJson, steps: [{ lane: 0, name: 7 }] }), /steps\[0\]\.name should be a text, but is 7/],
    [
      pageText({ ...traceJson, steps: [{ lane: 0, name: "x", sent: [{ type: "T", from: 0, to: 9 }] }] }),
      /sent\[0\]\.to is 9/,
    ],
    [pageText({ ...traceJson, format: "other" }), /format/],
  ];
  for (const [text, words] of refused)
    assert.throws(
      () => decode(text),
      (error) => error instanceof NotAFinding && words.test(error.message),
      text.slice(0, 80),
    );
});

test("fields that are not known, and those that are missing, do no harm", () => {
  const read = traceOf({ ...traceJson, future: { x: 1 }, steps: [{ lane: 0, name: "x", future: 1 }] });
  assert.equal(read.steps[0]!.kind, "step");
  assert.deepEqual(read.steps[0]!.received, []);
});

test("large integers keep their digits", () => {
  assert.equal(
    keepDigits('{"a": 12345678901234567890, "b": "12345678901234567890", "c": 5}'),
    '{"a": "\\u000112345678901234567890", "b": "12345678901234567890", "c": 5}',
  );
  const read = traceOf(JSON.parse('{"x":0}') && { ...traceJson, initial: [] });
  assert.equal(read.initial.length, 0);
  const text = pageText({ ...traceJson, initial: [{ lane: 0, name: "n", value: "MARK" }] }).replace(
    '"MARK"',
    "-18446744073709551615",
  );
  assert.equal(valueText(decode(text).trace!.initial[0]!.value), "-18446744073709551615");
});

test("long names are cut and said to be; long runs lose their first steps, and values stay right", () => {
  const named = decode(
    pageText({ ...traceJson, lanes: [{ name: "x".repeat(1_000_000), role: "R" }, lanes[1], lanes[2]] }),
  );
  assert.equal(named.trace!.lanes[0]!.name.length, 200);
  assert.match(named.leftOut.join(" "), /1 name of more than 200 characters is cut/);
  const count = 100_003;
  const many = Array.from({ length: count }, (_, i) => ({
    lane: 0,
    name: "s",
    diffs: [{ lane: 0, name: "n", before: i, after: i + 1 }],
  }));
  const long = decode(pageText({ ...traceJson, initial: [{ lane: 0, name: "n", value: 0 }], steps: many }));
  assert.equal(long.trace!.steps.length, 100_000);
  assert.equal(long.stepsBefore, 3);
  assert.equal(long.trace!.initial[0]!.value, 3);
  assert.match(long.leftOut.join(" "), /100,003 steps/);
});

// --- Text and values.

test("control characters and marks of direction are shown, not obeyed", () => {
  assert.equal(clean("a\u0000b\u202ec\u2066d\u200fe\nf\ud800g"), "a␛b␛c␛d␛e␛f␛g");
  assert.equal(clean("grüß 你好 שלום 😀"), "grüß 你好 שלום 😀");
  assert.equal(clip("abcdef", 4), "abc…");
  assert.equal(shortName("acceptor 3", 6), "acce…3");
  assert.equal(grouped(1234567), "1,234,567");
  assert.equal(counted(1, "step"), "1 step");
});

test("values are printed as the program prints them", () => {
  const printed: [Json, string][] = [
    [null, "none"],
    [true, "true"],
    [3, "3"],
    ["client 1", "client 1"],
    ["two words", '"two words"'],
    ["none", '"none"'],
    [[1, "a"], "[1, a]"],
    [{ n: 1, v: null }, "{n=1, v=none}"],
    [{ op: "write", value: 1 }, "write(1)"],
    [{ op: "read", value: null }, "read"],
    [{ value: 7 }, "7"],
    [{ kind: "cas", from: 1, to: 2 }, "cas(from=1, to=2)"],
  ];
  for (const [value, text] of printed) assert.equal(valueText(value), text);
  assert.equal(messageText("Accept", { n: 1, v: null }), "Accept(n=1, v=none)");
  assert.equal(messageText("Vote", { vote: { round: 1, value: 2 } }), "Vote(round=1, value=2)");
  assert.equal(messageText("Ack", {}), "Ack");
  assert.equal(valueText("x".repeat(10_000_000)).length, 200);
  assert.equal(valueText(Array.from({ length: 1_000_000 }, () => 1)).length, 200);
});

test("differences of nested values are found by path", () => {
  assert.deepEqual(changes([1], [1, { term: 2 }]), [{ path: "[1]", before: undefined, after: { term: 2 } }]);
  assert.deepEqual(changes({ a: { b: 1, c: 2 } }, { a: { b: 3, c: 2 } }), [{ path: "a.b", before: 1, after: 3 }]);
  assert.deepEqual(changes([1, 2, 3], [1, 3]), [{ path: "", before: [1, 2, 3], after: [1, 3] }]);
  assert.deepEqual(changes({ value: 0 }, { value: 1 }), [{ path: "", before: 0, after: 1 }]);
  assert.deepEqual(changes(5, 5), []);
});

// --- Messages and values through time.

test("a receive takes the oldest equal send", () => {
  const { received, sent } = match(trace);
  assert.deepEqual(
    received.map((all) => all.map((one) => one.from)),
    [[], [], [0], [0], [2]],
  );
  assert.deepEqual(
    sent[0]!.map((one) => one.receipts),
    [[2], [3]],
  );
  const equal = { type: "T", from: 0, to: 1, body: { x: 1 } };
  const repeated = match(
    traceOf({
      ...traceJson,
      steps: [
        { lane: 0, name: "s", sent: [equal] },
        { lane: 0, name: "s", sent: [equal] },
        { lane: 1, name: "d", kind: "duplicate", received: [equal] },
        { lane: 1, name: "r", received: [equal] },
        { lane: 1, name: "r", received: [equal] },
        { lane: 1, name: "r", received: [equal] },
        { lane: 1, name: "r", received: [{ ...equal, body: { x: 2 } }] },
      ],
    }),
  );
  assert.deepEqual(
    repeated.received.slice(2).map((all) => all[0]!.from),
    [0, 0, 1, 1, -1],
  );
});

test("matching many equal messages takes linear time", () => {
  const equal = { type: "T", from: 0, to: 1, body: {} };
  const half = 40_000;
  const long = traceOf({
    ...traceJson,
    steps: [
      ...Array.from({ length: half }, () => ({ lane: 0, name: "s", sent: [equal] })),
      ...Array.from({ length: half }, () => ({ lane: 1, name: "r", received: [equal] })),
    ],
  });
  const started = processorMs();
  const { received } = match(long);
  assert.ok(processorMs() - started < 3_000);
  assert.equal(received[half + 123]![0]!.from, 123);
});

test("a field's value before and after each step", () => {
  const fields = new Fields(trace);
  const phase = fields.all.get("0 phase")!;
  assert.deepEqual(
    [0, 1, 3, 4].map((step) => [phase.before(step), phase.after(step), phase.setBy(step)]),
    [
      ["idle", "asking", 0],
      ["asking", "asking", 0],
      ["asking", "asking", 0],
      ["asking", "done", 4],
    ],
  );
  const thoughts = fields.all.get("2 thoughts")!; // that `initial` does not mention
  assert.deepEqual([thoughts.after(0), thoughts.after(1), thoughts.setBy(0)], [0, 1, -1]);
});

// --- What matters.

test("the causal past follows messages and processes", () => {
  const causality = new Causality(trace, match(trace));
  assert.deepEqual([...causality.past([4])], [1, 0, 1, 0, 1]);
  assert.deepEqual([...causality.past([1])], [0, 1, 0, 0, 0]);
  assert.deepEqual(decisiveSteps(trace, new Fields(trace)), [4]);
  // The lost message is a fault, which matters by what did not arrive.
  assert.deepEqual([...unrelated(trace, new Fields(trace), causality)], [0, 1, 0, 0, 0]);
  assert.deepEqual([...unrelated({ ...trace, verdict: "unknown" }, new Fields(trace), causality)], [0, 0, 0, 0, 0]);
});

test("threads influence each other by what they share", () => {
  const access = (kind: string, object: string): unknown => ({ kind, object });
  const threads = traceOf({
    ...traceJson,
    lanes: ["main", "thread 1", "thread 2"].map((name) => ({ name, role: "Thread", process: name })),
    initial: [],
    explanation: [],
    steps: [
      { lane: 0, name: "0", accesses: [access("start", "thread 1")] },
      { lane: 1, name: "1", accesses: [access("write", "x")] },
      { lane: 2, name: "2", accesses: [access("read", "x")] },
      { lane: 2, name: "3", accesses: [access("write", "y")] },
      { lane: 1, name: "4", accesses: [access("write", "x")] },
      { lane: 0, name: "5", accesses: [access("join", "thread 1")] },
    ],
  });
  const causality = new Causality(threads, match(threads));
  assert.deepEqual([...causality.past([2])], [1, 1, 1, 0, 0, 0]);
  assert.deepEqual([...causality.past([4])], [1, 1, 1, 0, 1, 0]); // a write comes after the reads before it
  assert.deepEqual([...causality.past([5])], [1, 1, 1, 0, 1, 1]);
});

// --- Layout.

test("lanes keep the order of the trace; those without role come if they take part, objects last", () => {
  const more = traceOf({
    ...traceJson,
    lanes: [{ name: "qtree", role: "" }, ...lanes, { name: "network", role: "" }],
    initial: [],
    explanation: [],
    steps: [
      { lane: 1, name: "x", calls: [{ object: "qtree", call: "add(1)", answer: "accepted" }] },
      { lane: 4, name: "partition", kind: "partition" },
    ],
  });
  const { lanes: shown, objects } = partakingLanes(more);
  assert.deepEqual(shown, [1, 2, 3, 0]);
  assert.deepEqual([...objects], [0]);
});

test("rows, folds and arrows do not overlap", () => {
  const hides = Uint8Array.from([0, 1, 1, 0, 0]);
  const rows = placeRows(trace, hides, new Set([4]), new Set(), "L", 100);
  assert.deepEqual(rows.list, [
    { first: 0, count: 1, folded: false },
    { first: 1, count: 2, folded: true },
    { first: 3, count: 1, folded: false },
    { first: 4, count: 1, folded: false },
  ]);
  assert.deepEqual([...rows.ofStep], [0, 1, 1, 2, 3]);
  assert.deepEqual([...rows.top], [0, 38, 62, 100, 138]);
  assert.deepEqual(placeRows(trace, hides, new Set(), new Set([1]), "L", 100).list.length, 5);
  assert.equal(placeRows(trace, hides, new Set([1, 2]), new Set(), "L", 100).list.length, 5);
  assert.equal(arrowY(rows, 2, 1) - arrowY(rows, 2, 0), 17);
});

test("rails run beside their senders and never share a slot at the same time", () => {
  const many = traceOf({
    ...traceJson,
    initial: [],
    explanation: [],
    steps: [
      ...Array.from({ length: 4 }, (_, i) => ({
        lane: 0,
        name: "s",
        sent: [{ type: "T", from: 0, to: 1, body: { i } }],
      })),
      ...Array.from({ length: 4 }, (_, i) => ({
        lane: 1,
        name: "r",
        received: [{ type: "T", from: 0, to: 1, body: { i } }],
      })),
    ],
  });
  const all = partakingLanes(many);
  const placed = placeLanes(many, all.lanes, all.objects, 56 + 3 * 150);
  assert.equal(placed.density, "L");
  const rows = placeRows(many, new Uint8Array(8), new Set(), new Set(), placed.density, 0);
  const rails = placeRails(match(many), placed, rows);
  assert.deepEqual(
    Array.from({ length: rails.count }, (_, i) => [
      rails.step[i],
      rails.side[i],
      rails.slot[i],
      rails.first[i],
      rails.last[i],
    ]),
    [
      [0, 1, 0, 0, 4],
      [1, 1, 1, 1, 5],
      [2, 1, 2, 2, 6],
      [3, 1, 3, 3, 7],
    ],
  );
  assert.equal(rails.step[rails.into[rails.offset[5]!]!], 1);
});

test("the density follows the room", () => {
  const densities = [100, 400, 900, 6000].map(
    (room) =>
      placeLanes(
        { ...trace, lanes: Array.from({ length: 30 }, () => trace.lanes[0]!) },
        Array.from({ length: 30 }, (_, i) => i),
        new Set(),
        room,
      ).density,
  );
  assert.deepEqual(densities, ["XS", "XS", "S", "L"]);
});

test("operations of a row do not overlap, and precedence is kept", () => {
  const operation = (process: string, begin: number, end: number | undefined): Operation => ({
    process,
    text: "read",
    begin,
    end,
    line: undefined,
    place: undefined,
    object: undefined,
    core: false,
    wrong: false,
    step: undefined,
  });
  const all = [operation("p", 0, 3), operation("q", 1, 2), operation("p", 4, 7), operation("q", 5, undefined)];
  const { left, right, rows } = placeOperations(all, () => 50);
  assert.deepEqual(rows, ["p", "q"]);
  for (let i = 0; i < all.length; ++i) assert.ok(right[i]! - left[i]! >= 50);
  for (const [i, a] of all.entries())
    for (const [k, b] of all.entries())
      if ((a.end ?? Infinity) < b.begin) assert.ok(right[i]! < left[k]!, `${i} before ${k}`);
});

test("the object of a history is a value, or words in a string", () => {
  const objects = [3, ["a", 1], { x: null }, "free", "held by process 0", "a\"b", null];
  const history = {
    subject: "7 operations",
    spec: "lock",
    operations: objects.map((_, i) => ({
      process: "process 0",
      text: "acquire",
      begin: 2 * i,
      end: 2 * i + 1,
      line: null,
    })),
    order: objects.map((object, operation) => ({ operation, object })),
    order_skipped: 0,
    core: [6],
    stuck: 6,
    core_proven: true,
    sentences: [],
    left_out: 0,
  };
  const shown = historyOf(decode(pageText(null, { run: { history } })), undefined)!;
  assert.deepEqual(
    shown.operations.map((one) => one.object),
    ["3", "[a, 1]", "{x=none}", "free", '"held by process 0"', '"a\\"b"', undefined],
  );
});

test("the moments of an order come in that order, each within its operation", () => {
  const operation = (process: string, begin: number, end: number | undefined, at: number | undefined): Operation => ({
    process,
    text: "read",
    begin,
    end,
    line: undefined,
    place: at,
    object: undefined,
    core: false,
    wrong: false,
    step: undefined,
  });
  const all = [
    operation("p", 0, 6, 3),
    operation("q", 1, 3, 1),
    operation("r", 2, undefined, undefined),
    operation("q", 4, 5, 2),
    operation("p", 7, 8, 4),
  ];
  const placed = placeOperations(all, () => 40);
  const moments = momentsOf(all, placed);
  assert.ok(Number.isNaN(moments[2]));
  for (const i of [0, 1, 3, 4]) assert.ok(moments[i]! >= placed.left[i]! && moments[i]! <= placed.right[i]!, `${i}`);
  assert.ok(moments[1]! < moments[3]! && moments[3]! < moments[0]! && moments[0]! < moments[4]!);
});

// --- View, search, other forms.

test("a filter folds what it hides", () => {
  const hidden = (change: (view: ReturnType<typeof newView>) => void): number[] => {
    const view = newView(run);
    change(view);
    return [...hiddenSteps(run, view)];
  };
  assert.deepEqual(
    hidden(() => {}),
    [0, 0, 0, 0, 0],
  );
  assert.deepEqual(
    hidden((view) => (view.fold = true)),
    [0, 1, 0, 0, 0],
  );
  assert.deepEqual(
    hidden((view) => view.hiddenLanes.add(1)),
    [0, 0, 1, 0, 0],
  );
  assert.deepEqual(
    hidden((view) => (view.type = "Answer")),
    [1, 1, 0, 1, 0],
  );
  assert.deepEqual(
    hidden((view) => (view.field = "0 phase")),
    [0, 1, 1, 1, 0],
  );
});

test("search looks at lanes, steps, messages and changed values", () => {
  assert.deepEqual(findMatches(run, "Answer"), [2, 4]);
  assert.deepEqual(findMatches(run, "ASKING"), [0, 4]);
  assert.deepEqual(findMatches(run, "lost"), [3]);
  assert.deepEqual(findMatches(run, "  "), []);
});

test("a step in one sentence", () => {
  assert.equal(run.sentence(0), "Step 1: a begin (timeout), sends Ask(1) to b, sends Ask(1) to c, phase idle → asking");
  assert.equal(run.sentence(2), "Step 3: b answer, receives Ask(1) from a, sends Answer to a, log[1] + {term=2}");
  assert.equal(run.sentence(3), "Step 4: lost Ask(1) a → c");
  assert.equal(
    run.sentence(4),
    "Step 5: a end, receives Answer from b, phase asking → done, the property never done is false after it",
  );
});

test("text, Mermaid and ShiViz", () => {
  assert.equal(asText(run, ["violated"]).split("\n").length, 8);
  const mermaid = asMermaid(run).split("\n");
  assert.equal(mermaid[0], "sequenceDiagram");
  assert.ok(mermaid.includes("  participant L1 as b"));
  assert.ok(mermaid.includes("  L0->>L1: Ask(1)"));
  assert.ok(mermaid.includes("  L0-xL2: 4 lost Ask(1)"));
  assert.ok(mermaid.includes("  L1->>L0: Answer"));
  const log = asShiViz(run).split("\n");
  assert.equal(log[0], shivizExpression);
  const clocks = log
    .slice(2)
    .filter((_, i) => i % 2 === 0 && log[2 + i] !== "")
    .map((line) => [line.split(" ")[0], JSON.parse(line.slice(line.indexOf("{"))) as unknown]);
  assert.deepEqual(clocks, [
    ["a", { a: 1 }],
    ["c", { c: 1 }],
    ["b", { a: 1, b: 1 }],
    ["c", { c: 2 }],
    ["a", { a: 2, b: 1 }],
  ]);
  const expression = new RegExp(shivizExpression.replaceAll("\\n", "\n"), "g");
  assert.equal([...log.slice(2).join("\n").matchAll(expression)].length, 5);
});

test("Mermaid gets no commands from names", () => {
  const evil = new Run(
    traceOf({
      ...traceJson,
      lanes: [{ name: "a\nend; participant X <script>%%{init}%%", role: "N" }, lanes[1], lanes[2]],
    }),
    0,
  );
  const line = asMermaid(evil)
    .split("\n")
    .find((one) => one.includes("participant L0"))!;
  assert.doesNotMatch(line.slice("  participant L0 as".length), /[;<>{}%\n]/);
});

test("layout is linear in the steps", () => {
  const time = (count: number): number => {
    const long = traceOf({
      ...traceJson,
      steps: Array.from({ length: count }, (_, i) => ({
        lane: i % 3,
        name: "s",
        sent: [{ type: "T", from: i % 3, to: (i + 1) % 3, body: { i } }],
        received: i > 0 ? [{ type: "T", from: (i - 1) % 3, to: i % 3, body: { i: i - 1 } }] : [],
      })),
    });
    const matching = match(long),
      all = partakingLanes(long),
      placed = placeLanes(long, all.lanes, all.objects, 800);
    let best = Infinity;
    for (let k = 0; k < 7; ++k) {
      const started = processorMs();
      placeRails(matching, placed, placeRows(long, new Uint8Array(count), new Set(), new Set(), placed.density, 800));
      best = Math.min(best, processorMs() - started);
    }
    return best;
  };
  time(20_000);
  const few = time(10_000),
    many = time(100_000);
  assert.ok(many < 50 * Math.max(few, 2), `${few} ms and ${many} ms`); // bench/report.sh measures the exponent
});
