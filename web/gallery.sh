#!/usr/bin/env bash
# Makes a page of each kind of finding, and a page that lists them: FOLDER/index.html.
#
#   web/gallery.sh HEDDLE FOLDER
#
# The target heddle-gallery of the build does it, into docs/gallery of the build tree.
set -euo pipefail

examples=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../examples" && pwd -P)
heddle=$(readlink -f -- "$1")
mkdir -p "$2"
cd "$2"
rows=''

# page NAME TITLE WORD...: the exit codes of verdicts are all well. Sources are named without folders.
page() {
  local name=$1 title=$2 status=0
  shift 2
  "$heddle" "$@" --html "$name.html" -q >"$name.txt" || status=$?
  if ((status > 2)); then
    cat "$name.txt" >&2
    exit 1
  fi
  rows+="<tr><td><a href=\"$name.html\">$title</a></td><td><code>heddle $*</code></td></tr>"$'\n'
  rm -f "$name.txt" heddle-trace.json heddle-witness.edn
}

cp "$examples/native/treiber_stack.cpp" "$examples/native/work_queue.cpp" "$examples/native/peterson.c" .
cp "$examples/histories/stale_read.edn" "$examples/histories/write_skew.edn" "$examples/nets/philosophers.net" .
page invariant "A protocol breaks its invariant" check raft --bug commit_older_term
page refinement "A call that the abstract object does not allow" check flexible_paxos --bug ignore_votes
page model-history "Clients of a protocol see a history that is not linearizable" check erroneous_register
page deadlock "A net comes to a standstill" check philosophers.net
page faults "A run with losses, duplicates, crashes and partitions" simulate zab --network multiset --crashes 2 --recovery \
  --loss 3 --duplicate 3 --partitions 3
page holds "Every state was looked at" check paxos
page history "A recorded history that is not linearizable" lin stale_read.edn --spec register --method wgl
page transactions "Recorded transactions that are not serializable" serializable write_skew.edn
page schedules "Schedulers compared" schedules distributed_register --harness 1R+1W
if [[ -x ${heddle%/*}/heddle-lower ]]; then
  page native "A class in C++ that is not linearizable" check treiber_stack.cpp --flags=-DBUG_BLIND_POP
  page race "A data race" check peterson.c --flags=-DBUG_NO_TURN
  page native-deadlock "Threads that wait for each other" check work_queue.cpp --flags=-DBUG_NO_NOTIFY
  page root-cause "Which lines should have been atomic" explain treiber_stack.cpp --flags=-DBUG_BLIND_POP
fi

cat >index.html <<END
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Heddle: pages of findings</title>
<style>body { font: 15px/22px system-ui, sans-serif; margin: 32px; } td { padding: 4px 24px 4px 0; }</style></head>
<body><h1>Pages of findings</h1><p>One of each kind. Each is one file, and comes from the command beside it.</p>
<table>
$rows</table></body></html>
END
rm -f ./*.cpp ./*.c ./*.edn ./*.net
echo "gallery in $PWD/index.html"
