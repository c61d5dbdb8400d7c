// Bundles the page, and its tests, with esbuild. The page is one file without references: script and style stand in it, and its
// policy names their hashes, so that nothing else can run or be loaded.
//
//   node bundle.mjs page PAGE       node bundle.mjs tests

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { build } from "esbuild";

const browsers = ["chrome103", "edge103", "firefox113", "safari16.4"]; // the first with DecompressionStream

async function bundled(entry, minify = true) {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify,
    write: false,
    format: "iife",
    target: browsers,
    charset: "utf8",
    legalComments: "none",
  });
  return result.outputFiles[0].text.trim();
}

const hash = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

async function page(out) {
  const script = (await bundled("src/main.ts")).replaceAll("</script", "<\\/script");
  const style = await bundled("src/page.css");
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  const text = readFileSync("src/page.html", "utf8")
    .replace("{policy}", () => policy)
    .replace("{style}", () => style)
    .replace("{script}", () => script);
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, text);
}

async function tests() {
  const entryPoints = readdirSync("test")
    .filter((name) => /_(test|bench)\.ts$/.test(name))
    .map((name) => `test/${name}`);
  await build({
    entryPoints,
    bundle: true,
    platform: "node",
    target: "node18",
    format: "esm",
    outdir: "tests",
    outExtension: { ".js": ".mjs" },
    external: ["playwright-core", "axe-core"],
  });
}

await (process.argv[2] === "page" ? page(process.argv[3]) : tests());
