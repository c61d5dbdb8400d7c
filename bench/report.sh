#!/usr/bin/env bash
# What a page of a report costs. Prints
#
#   - the size of the page without a finding; the goal is at most 400 kB
#   - for runs of 10^3, 10^4 and 10^5 steps on 100 lanes, in Chromium: the size of trace and page; the time until the
#     page is open, beside that of an empty page and of parsing the trace; layout; elements of the page; memory beyond
#     an empty page
#   - the exponent that fits the times of layout
#
#   bench/report.sh [ROUNDS]     PAGE=build/release/share/heddle/report.html WORK=build/release/components/web/work
#
# Times are the least of ROUNDS (3). The tests of the page must have been built: they bring the driver of the browser.
set -euo pipefail
cd "$(dirname "$0")/.."
export HEDDLE_PAGE=${PAGE:-$PWD/build/release/share/heddle/report.html}
export HEDDLE_ROUNDS=${1:-3}
work=${WORK:-$PWD/build/release/components/web/work}
[[ -f $HEDDLE_PAGE ]] || { echo "there is no page $HEDDLE_PAGE; build it: scripts/component.sh web" >&2 && exit 3; }
[[ -d $work/node_modules/playwright-core ]] || { echo "the tests of the page are not built in $work; run ./test once" >&2 && exit 3; }
exec node "$work/tests/report_bench.mjs"
