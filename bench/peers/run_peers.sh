#!/usr/bin/env bash
# Build one peer model in a temporary directory, run it, print one line of JSON. See README.md beside this file.
#
#   run_peers.sh SPEC SIZE [spin|collapse|ma|rumur] [threads]
#     SPEC  two_phase_commit (SIZE = RMS), paxos (SIZE = P,A,L) or abd_register (SIZE = C,S,R)
#
# Environment: MEM_MB memory limit (12000), HASH_BITS SPIN's -w (from expected.txt, else 24), CC (gcc),
# RUMUR_FLAGS further options for rumur, for instance "--pack-state off".
#
# Exit code: 0 property holds; 1 violated, or counts differ from expected.txt; 2 not completed; 3 wrong use or missing tool.
set -euo pipefail

die() {
  echo "run_peers.sh: $1" >&2
  exit 3
}

here=$(cd "$(dirname "$0")" && pwd)
[[ $# -ge 2 && $# -le 4 ]] || die "usage: run_peers.sh SPEC SIZE [spin|collapse|ma|rumur] [threads]"
spec=$1
size=$2
tool=${3:-spin}
threads=${4:-1}
mem_mb=${MEM_MB:-12000}
cc=${CC:-gcc}

case $spec in
  two_phase_commit) parameters=(RMS) ;;
  paxos) parameters=(P A L) ;;
  abd_register) parameters=(C S R) ;;
  *) die "unknown SPEC '$spec'; use two_phase_commit, paxos or abd_register" ;;
esac
[[ $size =~ ^[0-9]+(,[0-9]+)*$ ]] || die "SIZE '$size' is not a list of numbers such as 2,3,1"
[[ $threads =~ ^[1-9][0-9]*$ ]] || die "threads '$threads' is not a positive number"
IFS=, read -ra values <<<"$size"
[[ ${#values[@]} -eq ${#parameters[@]} ]] || die "SIZE of $spec is ${parameters[*]}, got '$size'"

expected_states=0
expected_transitions=0
while read -r s n states transitions _; do
  if [[ $s == "$spec" && $n == "$size" ]]; then
    expected_states=$states
    expected_transitions=$transitions
  fi
done <"$here/expected.txt"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

need() { command -v "$1" >/dev/null || die "$1 not found: apt-get install $2"; }
need "$cc" gcc
[[ -x /usr/bin/time ]] || die "/usr/bin/time not found: apt-get install time"

# Run a verifier; its output goes to out.txt, the messages to err.txt, wall, user and system seconds and peak RSS to time.txt.
timed() {
  /usr/bin/time -q -o time.txt -f '%e %U %S %M' "$@" >out.txt 2>err.txt || true
}

run_spin() {
  need spin spin
  local defines=() i bits=${HASH_BITS:-24} flags=()
  for i in "${!parameters[@]}"; do
    defines+=("-D${parameters[i]}=${values[i]}")
  done
  if [[ -z ${HASH_BITS:-} && $expected_states -gt 0 ]]; then
    bits=16
    while ((1 << bits < expected_states)); do bits=$((bits + 1)); done
  fi
  spin -a "${defines[@]}" "$here/$spec.pml" >spin.txt 2>&1 || die "spin: $(cat spin.txt)"
  # pan prints counts with 8 digits; print them in full
  sed -i 's/%9\.8g \(states, \|transitions\)/%9.0f \1/' pan.c
  # One process that never ends: the length of the state vector is constant and need not be stored.
  flags=(-O3 -march=native -w -DSAFETY -DNOREDUCE -DNOFAIR -DNOBOUNDCHECK -DNOVSZ "-DMEMLIM=$mem_mb")
  case $tool in
    collapse) flags+=(-DCOLLAPSE) ;;
    ma)
      [[ $threads == 1 ]] || die "SPIN's minimized automaton is single-threaded"
      flags+=("-DMA=$(vector_size)")
      ;;
  esac
  local run=(./pan -m10000 -E "-w$bits")
  if ((threads > 1)); then
    flags+=("-DNCORE=$threads")
    run+=(-z6) # hand states over early: these searches are shallow
  fi
  "$cc" "${flags[@]}" -o pan pan.c || die "the C compiler failed on SPIN's verifier"
  timed "${run[@]}"
  verdict=unknown
  if grep -q 'errors: [1-9]' out.txt; then
    verdict=violated
  elif grep -q 'errors: 0' out.txt && ! grep -q -e 'Search not completed' -e 'max search depth too small' out.txt err.txt; then
    verdict=holds
  fi
  states=$(awk '/states, stored/ { print $1 }' out.txt)
  # stored + matched counts the initial state as an arrival
  transitions=$(awk '/transitions \(=/ { printf "%.0f", $1 - 1 }' out.txt)
  state_bytes=$(awk '/actual memory usage for states/ { printf "%.0f", $1 * 1048576 }' out.txt)
  peak_bytes=$(awk '/total actual memory usage/ { printf "%.0f", $1 * 1048576 }' out.txt)
}

# SPIN's -DMA wants the size of the state vector; a run cut off at depth 1 prints it.
vector_size() {
  "$cc" -w -DSAFETY -DNOREDUCE -DNOFAIR -DNOVSZ -o pan_size pan.c
  ./pan_size -m1 -E -w16 2>/dev/null | awk '/^State-vector/ { print $2 }'
}

run_rumur() {
  need rumur rumur
  local edits=() extra=() i
  for i in "${!parameters[@]}"; do
    edits+=(-e "s/^  ${parameters[i]}: [0-9]*;/  ${parameters[i]}: ${values[i]};/")
  done
  sed "${edits[@]}" "$here/$spec.m" >model.m
  read -ra extra <<<"${RUMUR_FLAGS:-}"
  # --trace memory_usage only adds one counter and one last line: the bytes of all stored states
  rumur --threads "$threads" --deadlock-detection off --symmetry-reduction off --output-format machine-readable \
    --trace memory_usage "${extra[@]}" --output model.c model.m || die "rumur failed"
  "$cc" -std=c11 -O3 -march=native -mcx16 -fwhole-program -w -o model model.c -lpthread ||
    die "the C compiler failed on Rumur's verifier"
  ulimit -v $((mem_mb * 1024))
  timed ./model
  local summary
  summary=$(grep '<summary' out.txt || true)
  field() { sed -n "s/.* $1=\"\([0-9]*\)\".*/\1/p" <<<"$summary"; }
  states=$(field states)
  transitions=$(field rules_fired)
  verdict=holds
  [[ $(field errors) == 0 ]] || verdict=violated
  [[ -n $summary ]] || verdict=unknown
  state_bytes=$(sed -n 's/.*totaling \([0-9]*\) bytes.*/\1/p' err.txt)
  peak_bytes=
}

case $tool in
  spin | collapse | ma) run_spin ;;
  rumur) run_rumur ;;
  *) die "unknown tool '$tool'; use spin, collapse, ma or rumur" ;;
esac

read -r wall user system rss_kb <time.txt
[[ -n $peak_bytes ]] || peak_bytes=$((rss_kb * 1024))

if [[ $verdict == unknown ]]; then
  echo "run_peers.sh: the run did not complete:" >&2
  tail -n 5 out.txt err.txt >&2
fi

awk -v tool="$tool" -v protocol="$spec" -v size="$size" -v threads="$threads" -v verdict="$verdict" \
  -v states="${states:-0}" -v transitions="${transitions:-0}" -v wall="$wall" -v cpu="$user $system" \
  -v state_bytes="${state_bytes:-0}" -v peak="$peak_bytes" -v rss="$rss_kb" 'BEGIN {
    split(cpu, t, " "); cpu_seconds = t[1] + t[2]
    printf "{\"tool\":\"%s\",\"protocol\":\"%s\",\"size\":\"%s\",\"threads\":%d,\"verdict\":\"%s\",", tool, protocol, size, threads, verdict
    printf "\"states\":%.0f,\"transitions\":%.0f,\"seconds\":%.2f,\"cpu_seconds\":%.2f,", states, transitions, wall, cpu_seconds
    printf "\"states_per_second\":%.0f,\"states_per_cpu_second\":%.0f,", (wall > 0 ? states / wall : 0), (cpu_seconds > 0 ? states / cpu_seconds : 0)
    printf "\"bytes_per_state\":%.1f,\"total_bytes_per_state\":%.1f,", (states > 0 ? state_bytes / states : 0), (states > 0 ? peak / states : 0)
    printf "\"peak_bytes\":%.0f,\"rss_bytes\":%.0f}\n", peak, rss * 1024
  }'

case $verdict in
  violated) exit 1 ;;
  unknown) exit 2 ;;
esac
if ((expected_states > 0)) && [[ $states != "$expected_states" || $transitions != "$expected_transitions" ]]; then
  echo "run_peers.sh: expected $expected_states states and $expected_transitions transitions" >&2
  exit 1
fi
