#!/usr/bin/env bash
# What the standard library's assertions cost a model that is given as a file: the same checks of the same models, compiled with and
# without -D_GLIBCXX_ASSERTIONS, in turn. Prints processor seconds (the least of ROUNDS) and their ratio. Handlers are memoised, so
# --no-memo is where a cost would show.
#
#   bench/assertions.sh [ROUNDS]        HEDDLE=build/release/bin/heddle
set -euo pipefail
cd "$(dirname "$0")/.."
heddle=${HEDDLE:-build/release/bin/heddle}
rounds=${1:-3}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# A compiler that does not hear of the assertions. Objects do not depend on $CXX, so each way has a cache of its own.
cat >"$place/without" <<'END'
#!/usr/bin/env bash
for word in "$@"; do [ "$word" = -D_GLIBCXX_ASSERTIONS ] || words+=("$word"); done
exec "${HEDDLE_BENCH_CXX:-c++}" "${words[@]}"
END
chmod +x "$place/without"

# seconds WAY ARGUMENTS...: the processor time of one check
seconds() {
  local way=$1 cxx=""
  shift
  [ "$way" = with ] || cxx=$place/without
  TIMEFORMAT='%U %S'
  { time XDG_CACHE_HOME=$place/$way CXX=$cxx "$heddle" check "$@" -q --no-trace >/dev/null || true; } 2>&1 |
    awk '{ print $1 + $2 }'
}

echo '| model | with, s | without, s | ratio |'
echo '|---|---|---|---|'
while read -r model arguments; do
  with=1e9 without=1e9
  for round in $(seq 0 "$rounds"); do # the first one compiles
    for way in with without; do
      # shellcheck disable=SC2086 # the arguments are words
      now=$(seconds $way "$model" $arguments)
      [ "$round" = 0 ] || printf -v "$way" '%s' "$(awk -v a="${!way}" -v b="$now" 'BEGIN { print a < b ? a : b }')"
    done
  done
  awk -v m="$model $arguments" -v a="$with" -v b="$without" \
    'BEGIN { printf "| %s | %.2f | %.2f | %.2f |\n", m, a, b, a / b }'
done <<'END'
models/paxos.cpp -p proposers=3 --reduce none
models/paxos.cpp --reduce none --no-memo
models/two_phase_commit.cpp -p managers=5 --reduce none --no-memo
END
