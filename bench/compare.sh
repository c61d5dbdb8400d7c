#!/usr/bin/env bash
# Heddle next to SPIN and Rumur, one after the other in one run: the table of docs/performance.md.
#
#   bench/compare.sh            instances of 2 to 60 million states (tens of minutes)
#   bench/compare.sh --quick    small ones, to see that it works
#
# Rates are states for each second of processor time, the fairest measure on a machine with other work; ratios above 1 mean
# that Heddle is faster. Needs the packages spin and rumur.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
heddle=${HEDDLE:-$here/../build/release/bin/heddle}

field() { sed -n "s/.*\"$2\": *\([0-9.e+-]*\).*/\1/p" <<<"$1" | head -1; }

# heddle_line SPEC SIZE -> "states cpu_seconds bytes_per_state"
heddle_line() {
  local spec=$1 size=$2 model json before
  IFS=, read -ra n <<<"$size"
  case $spec in
    two_phase_commit) model=(two_phase_commit --param "managers=${n[0]}") ;;
    paxos) model=(paxos --param "proposers=${n[0]}" --param "acceptors=${n[1]}" --param "learners=${n[2]}") ;;
    abd_register) model=("$here/peers/abd_register.cpp" --param "clients=${n[0]}" --param "servers=${n[1]}" --param "readers=${n[2]}") ;;
  esac
  "$heddle" check "${model[@]}" --time 0.01 --quiet --no-trace --reduce none >/dev/null 2>&1 || true # compiles a file model
  json=$(mktemp)
  before=$({ TIMEFORMAT='%U %S'; time "$heddle" check "${model[@]}" --json --quiet --no-trace --reduce none >"$json" 2>/dev/null; } 2>&1)
  local text
  text=$(tr -d '\n' <"$json")
  rm -f "$json"
  awk -v cpu="$before" -v s="$(field "$text" states)" -v b="$(field "$text" bytes_per_state)" \
    'BEGIN { split(cpu, t, " "); printf "%d %.3f %.1f", s, t[1] + t[2], b }'
}

if [[ ${1:-} == --quick ]]; then
  runs=("two_phase_commit 5" "paxos 2,3,1" "abd_register 2,2,2")
else
  runs=("two_phase_commit 8" "paxos 3,3,1" "two_phase_commit 9" "paxos 2,3,3" "abd_register 2,3,1")
fi
echo '| protocol | states | Heddle M states/s | x SPIN | x SPIN -DCOLLAPSE | x Rumur | B/state: Heddle | SPIN | COLLAPSE | Rumur |'
echo '|---|---|---|---|---|---|---|---|---|---|'
for run in "${runs[@]}"; do
  read -r spec size <<<"$run"
  read -r states cpu bytes <<<"$(heddle_line "$spec" "$size")"
  row=$(awk -v s="$states" -v c="$cpu" 'BEGIN { printf "%.2f", s / c / 1e6 }')
  ratios="" sizes=""
  for tool in spin collapse rumur; do
    json=$("$here/peers/run_peers.sh" "$spec" "$size" "$tool" 1 2>/dev/null) || json=""
    if [[ -z $json || $(field "$json" states) != "$states" ]]; then
      ratios+=" - |" sizes+=" - |"
      continue
    fi
    ratios+=$(awk -v s="$states" -v c="$cpu" -v p="$(field "$json" states_per_cpu_second)" 'BEGIN { printf " %.1f |", s / c / p }')
    sizes+=$(awk -v b="$(field "$json" bytes_per_state)" 'BEGIN { printf " %.0f |", b }')
  done
  echo "| $spec($size) | $states | $row |$ratios $bytes |$sizes"
done
