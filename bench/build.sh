#!/usr/bin/env bash
# What people wait for, in seconds of processor time (user + sys, compilers included) and of wall time:
#
#   edit loop         heddle check examples/lock.cpp after an edit; before it the first time, with an empty cache of models
#   a library model   compiling models/paxos.cpp, and all of models/
#   heddle            building the program from nothing
#   everything        building all that ./test builds, from nothing
#
#   bench/build.sh [ROW...]     edit-loop model models heddle everything; without any: edit-loop model
#
# Compilers are asked without a compiler cache. HEDDLE=build/release/bin/heddle, JOBS=number of cores.
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
build() {
  local name=$1
  shift
  cmake -S . -B "$place/$name" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHEDDLE_NATIVE=ON >"$place/output" 2>&1
  row "build $name" ninja -C "$place/$name" -j "$jobs" "$@"
}

echo '| what | processor, s | wall, s |'
echo '|---|---|---|'
for wanted in "${@:-edit-loop model}"; do
  for one in $wanted; do
    case $one in
      edit-loop) edit_loop ;;
      model) model ;;
      models) models ;;
      heddle) build heddle heddle ;;
      everything) build everything all ;;
      *) echo "bench/build.sh: no row '$one'; there are edit-loop, model, models, heddle, everything" >&2 && exit 3 ;;
    esac
  done
done
