// The script that makes the page: again with the same result, without a registry with words that help, and naming no
// registry itself.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { folder, heddle, pageFile, sourceTree } from "./support";

const script = join(sourceTree, "web/build.sh");

test("without a registry in reach the script says what to do", () => {
  const done = spawnSync(script, [join(folder, "offline"), "page", join(folder, "offline.html")], {
    encoding: "utf8",
    env: {
      ...process.env,
      npm_config_registry: "http://127.0.0.1:9/",
      npm_config_cache: join(folder, "empty-cache"),
      npm_config_fetch_retry_mintimeout: "10",
    },
  });
  assert.equal(done.status, 1);
  assert.match(
    done.stdout,
    /^heddle-remedy: npm could not install what web\/package-lock\.json lists; check that its registry/m,
  );
  assert.equal(existsSync(join(folder, "offline.html")), false);
});

test("the gallery has a page of each kind of finding", () => {
  const done = spawnSync(join(sourceTree, "web/gallery.sh"), [heddle, join(folder, "gallery")], {
    encoding: "utf8",
    env: { ...process.env, XDG_CACHE_HOME: join(folder, "cache") },
  });
  assert.equal(done.status, 0, done.stdout + done.stderr);
  const index = readFileSync(join(folder, "gallery", "index.html"), "utf8");
  const pages = [...index.matchAll(/href="([^"]+)"/g)].map((found) => found[1]!);
  assert.ok(pages.length >= 9);
  for (const page of pages) assert.ok(existsSync(join(folder, "gallery", page)), page);
  assert.deepEqual(
    readdirSync(join(folder, "gallery")).filter((name) => !name.endsWith(".html")),
    [],
  );
});

test("the lock file and the settings name no registry", () => {
  for (const file of ["package-lock.json", "package.json", ".npmrc"])
    assert.doesNotMatch(readFileSync(join(sourceTree, "web", file), "utf8"), /https?:\/\//i, file);
});

test("the page refers to nothing outside, allows nothing, and is small", () => {
  const page = readFileSync(pageFile, "utf8");
  assert.ok(page.length < 400_000, `${page.length} bytes`);
  assert.match(
    page,
    /content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"/,
  );
  const markup = page.replace(/<script>[\s\S]*?<\/script>/, "");
  assert.ok(markup.length < page.length / 2);
  assert.equal(/<(link|img|iframe|object|embed|base)\b| src=| href=|@import|url\((?!["']?#)/i.test(markup), false);
  assert.equal(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write\b|\beval\(|new Function\b|XMLHttpRequest|WebSocket|sendBeacon|importScripts/.test(
      page,
    ),
    false,
  );
  assert.equal(page.split("{heddle-report}").length, 2);
});
