#!/usr/bin/env bash
# What people wait for, in seconds of processor time (user + sys, compilers included) and of wall time:
#
#   edit-loop     heddle check examples/lock.cpp after an edit; before it the first time, with an empty cache of models
#   heddle        what ./heddle check paxos does on a fresh clone once the packages are there: configure, build, check
#   everything    what ./test builds on a fresh clone: configure, build
#   tests         running the tests of `everything`, which must come before
#   model         compiling models/paxos.cpp, the precompiled header being there
#   models        compiling each of models/ likewise
#
#   bench/build.sh [ROW...]     without any: heddle everything edit-loop
#
# Compilers are asked without a compiler cache, and nothing is counted that installs packages. The edit loop uses the
# program of the row `heddle` if that came before, else HEDDLE (build/release/bin/heddle). JOBS=number of cores.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
heddle=${HEDDLE:-$root/build/release/bin/heddle}
jobs=${JOBS:-$(nproc)}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
export CCACHE_DISABLE=1

# row NAME COMMAND...: one line of the table
row() {
  local name=$1
  shift
  TIMEFORMAT='%U %S %R'
  { time "$@" >"$place/output" 2>&1; } 2>"$place/time" || { cat "$place/output" >&2; return 1; }
  awk -v name="$name" '{ printf "| %s | %.2f | %.2f |\n", name, $1 + $2, $3 }' "$place/time"
}

# The command that compiles a model of the library, as the build has it.
compile_model() {
  ninja -C build/release -t commands "models/CMakeFiles/heddle_models.dir/$1.o" | tail -1 |
    sed -E "s# -M[DTF]+( [^ -][^ ]*)?##g; s# -o [^ ]+# -o $place/model.o#" >"$place/command"
  (cd build/release && bash "$place/command")
}

edit_loop() {
  export XDG_CACHE_HOME=$place/cache
  cp examples/lock.cpp "$place/lock.cpp"
  row "check lock.cpp, the first time" "$heddle" check "$place/lock.cpp" --no-trace
  for edit in 1 2 3; do
    echo "// edit $edit" >>"$place/lock.cpp"
    row "check lock.cpp after edit $edit" "$heddle" check "$place/lock.cpp" --no-trace
  done
  row "check lock.cpp, nothing edited" "$heddle" check "$place/lock.cpp" --no-trace
  unset XDG_CACHE_HOME
}
model() { row "compile models/paxos.cpp" compile_model paxos.cpp; }
all_models() { for file in models/*.cpp; do compile_model "$(basename "$file")"; done; }
models() { row "compile all of models/" all_models; }
fresh() {
  local name=$1
  shift
  cmake --preset release -B "$place/$name" && ninja -C "$place/$name" -j "$jobs" "$@"
}
first_answer() { fresh heddle heddle && "$place/heddle/bin/heddle" check paxos --no-trace; }
build_heddle() {
  row "configure, build heddle, check paxos" first_answer
  heddle=$place/heddle/bin/heddle
}
everything() { row "configure, build everything" fresh everything all; }
tests() { row "run the tests" ctest --test-dir "$place/everything" -j "$jobs" --output-on-failure --no-tests=error; }

echo '| what | processor, s | wall, s |'
echo '|---|---|---|'
for wanted in "${@:-heddle everything edit-loop}"; do
  for one in $wanted; do
    case $one in
      edit-loop) edit_loop ;;
      model) model ;;
      models) models ;;
      heddle) build_heddle ;;
      everything) everything ;;
      tests) tests ;;
      *) echo "bench/build.sh: no row '$one'; there are heddle, everything, tests, edit-loop, model, models" >&2 && exit 3 ;;
    esac
  done
done
