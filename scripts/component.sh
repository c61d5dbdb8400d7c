#!/usr/bin/env bash
# Gets a component of Heddle (docs/components.md): installs the packages it needs and builds it, unless that has been
# done.
#
#   scripts/component.sh [--preset PRESET] NAME...           prints the path of each, after the build
#   scripts/component.sh [--preset PRESET] --all
#   scripts/component.sh [--preset PRESET] --state NAME...   changes nothing; prints for each: NAME STATE [PACKAGE...]
#
# A state is `ready`, `stale` (sources have changed since), `unbuilt`, or `missing` with the packages that are not
# installed.
# `heddle` calls this whenever it needs a component, so the common case comes first: nothing was touched since the
# last build. Messages go to stderr; stdout is for the caller: paths, or after a failure what went wrong. Exit code 3
# is a failure, with the locks, logs and environment variables of scripts/setup.sh.
set -euo pipefail

self=$(readlink -f -- "${BASH_SOURCE[0]}")
root=${self%/scripts/*}
# shellcheck source=scripts/setup.sh
source "$root/scripts/setup.sh"

# The last words also go to the program that has called.
die() {
  say "$1"
  if [[ ! -t 1 ]]; then printf '%s\n' "$1"; fi
  exit 3
}

preset=release names=() states='' all=''
while (($# > 0)); do
  case $1 in
    --preset)
      (($# > 1)) || die "--preset needs a name of CMakePresets.json"
      preset=$2
      shift
      ;;
    --all) all=yes ;;
    --state) states=yes ;;
    -*) die "unknown argument $1; the first lines of scripts/component.sh show how it is called" ;;
    *) names+=("$1") ;;
  esac
  shift
done
if [[ -n $all ]]; then mapfile -t names < <(component_names); fi
if ((${#names[@]} == 0)) && [[ -z $all$states ]]; then
  die "which component? There are: $(component_names | tr '\n' ' ')"
fi

# What is built: CMake has written it into the second line of the component's state.
product() {
  local lines=()
  mapfile -t lines 2>/dev/null <"$root/build/$preset/components/$1.state" || true
  printf '%s\n' "$root/build/$preset/${lines[1]:-bin/heddle-$1}"
}

# A component may use all of src/, include/ and runtime/, and a folder at the top that has its name.
component_is_fresh() {
  local sources=(CMakeLists.txt CMakePresets.json cmake "components/$1" scripts/packages.txt "scripts/packages-$1.txt")
  local folder
  for folder in src include runtime "$1"; do
    if [[ -d $root/$folder ]]; then sources+=("$folder"); fi
  done
  fresh "$(product "$1")" "$root/build/$preset/.built-$1" "${sources[@]}"
}

state() {
  local packages=''
  if command -v dpkg-query >/dev/null; then packages=$(missing_packages "$root/scripts/packages-$1.txt"); fi
  if [[ -n $packages ]]; then
    printf '%s missing %s\n' "$1" "$packages"
  elif component_is_fresh "$1"; then
    printf '%s ready\n' "$1"
  elif [[ -e $(product "$1") ]]; then
    printf '%s stale\n' "$1"
  else
    printf '%s unbuilt\n' "$1"
  fi
}

get() {
  if component_is_fresh "$1"; then return; fi
  if [[ -e $(product "$1") ]]; then
    say "the component $1 has changed; building it again"
  else
    say "first use of the component $1: installing what it needs and building it"
  fi
  lock_build
  if ! component_is_fresh "$1"; then # another call may have built it while this one waited
    ensure_packages "$root/scripts/packages.txt"
    ensure_packages "$root/scripts/packages-$1.txt"
    mark_start "$preset" "$1"
    configure "$preset"
    ensure_component_is_configured "$preset" "$1"
    build "$preset" "heddle-$1"
    mark_built "$preset" "$1"
  fi
  unlock_build
}

for name in "${names[@]}"; do
  [[ -f $root/components/$name/CMakeLists.txt ]] ||
    die "there is no component $name; there are: $(component_names | tr '\n' ' ')"
done
for name in "${names[@]}"; do
  if [[ -n $states ]]; then
    state "$name"
  else
    get "$name" # its failures end this script
    product "$name"
  fi
done
