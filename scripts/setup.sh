# Set-up shared by ./heddle, ./test and scripts/component.sh; sourced by them, with `root` set to the top of the
# source tree.
#
# Brings a Debian 12 machine from nothing to a built preset: packages, configuration, build. Everything said here goes
# to stderr, because stdout belongs to the program that is started afterwards (`--json` must stay clean). The full story
# is in build/<preset>.log. Whatever fails here ends the caller with exit code 3, "error" among Heddle's verdicts.
#
#   HEDDLE_JOBS=n            compile with n jobs instead of one per core
#   HEDDLE_SKIP_PACKAGES=1   never call apt-get; for machines where the dependencies come from elsewhere
# shellcheck shell=bash
# shellcheck disable=SC2154  # root is set by the caller

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# die <remedy>: the last words after a failed step.
die() {
  say "$1"
  exit 3
}

# One line that overwrites itself on a terminal; silent otherwise, so that logs of CI stay short.
progress() { if [[ -t 2 ]]; then printf '\r\033[K%s: %s' "${0##*/}" "$*" >&2; fi; }
progress_done() { if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi; }

# The lines that matter of a failed step: the first errors, because a compiler's tail is often the end of a template
# backtrace, and then the tail.
show_log() {
  local log=$1 errors
  errors=$(grep -m 5 -E '(^|[ :])(fatal )?error:|CMake Error|^FAILED:|^E: ' "$log" || true)
  if [[ -n $errors ]]; then
    say "first errors in ${log#"$root"/}:"
    printf '%s\n' "$errors" | sed 's/^/  /' >&2
  fi
  say "end of ${log#"$root"/}:"
  tail -n 25 "$log" | sed 's/^/  /' >&2
}

# missing_packages <list>: the packages of a list file that are not installed, separated by blanks. "package|command" is
# missing only if there is no such command.
missing_packages() {
  local wanted='' installed package
  while read -r package; do
    [[ -n $package ]] || continue
    if [[ $package != *"|"* ]]; then
      wanted+="$package "
    elif ! command -v "${package#*|}" >/dev/null; then
      wanted+="${package%|*} "
    fi
  done < <(sed -e 's/#.*//' "$1" | tr -s ' \t' '\n')
  # dpkg-query fails when it does not know one of the names; that one is then simply missing.
  # shellcheck disable=SC2016,SC2086  # the format is dpkg's, and the names are meant to be split
  installed=" $(dpkg-query -W -f '${db:Status-Status}:${Package} ' $wanted 2>/dev/null || true) "
  for package in $wanted; do
    [[ $installed == *" installed:$package "* ]] || printf '%s ' "$package"
  done
}

as_root=() # what goes before a command that only root may run; set where one is needed
# ensure_packages <list>: installs what is missing of a list file. Never removes a package to make room for another.
ensure_packages() {
  local list=$1 log=$root/build/packages.log missing
  if [[ -n ${HEDDLE_SKIP_PACKAGES:-} ]]; then return; fi
  if ! command -v dpkg-query apt-get >/dev/null; then
    say "this is not Debian: going on with the libraries that are here (the list is in ${list#"$root"/})"
    return
  fi
  read -r -a missing <<<"$(missing_packages "$list")"
  if ((${#missing[@]} == 0)); then return; fi

  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      die "packages are missing and only root can install them; run as root: apt-get install ${missing[*]}"
    fi
    as_root=(sudo)
    # Without a terminal nobody can answer the password question: fail instead of hanging.
    if [[ ! -t 0 ]]; then as_root+=(-n); fi
  fi
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600)

  say "installing ${#missing[@]} packages: ${missing[*]}"
  # An update that fails for some unrelated package source is not a reason to give up: the installation decides.
  if ! {
    "${as_root[@]}" "${apt[@]}" update || true
    "${as_root[@]}" "${apt[@]}" install --no-install-recommends --no-remove "${missing[@]}"
  } >"$log" 2>&1 9>&-; then
    show_log "$log"
    die "could not install the packages; check the network and the package sources, or install them by hand and run again:
  apt-get update && apt-get install ${missing[*]}"
  fi
}

# The servers that examples/record drives. Their packages start them as services of the machine; one installed only now is stopped
# again: examples and tests start their own, on free ports of the loopback interface.
ensure_servers() {
  if [[ -n ${HEDDLE_SKIP_PACKAGES:-} ]]; then return; fi
  local services=() service
  command -v redis-server >/dev/null || services+=(redis-server)
  command -v etcd >/dev/null || services+=(etcd)
  keep_postgres_from_starting
  ensure_packages "$root/scripts/packages-examples.txt"
  for service in "${services[@]}"; do
    if command -v systemctl >/dev/null && systemctl is-system-running >/dev/null 2>&1; then
      "${as_root[@]}" systemctl disable --now "$service" >/dev/null 2>&1 ||
        say "could not stop the service $service; it is not needed"
    elif [[ -x /etc/init.d/$service ]]; then
      "${as_root[@]}" "/etc/init.d/$service" stop >/dev/null 2>&1 || true
    fi
  done
}

# The package of a PostgreSQL server makes a cluster and starts it, unless it is told not to before it is installed. Nothing
# is changed where one is installed already, or where somebody has said what is wanted.
keep_postgres_from_starting() {
  local settings=/etc/postgresql-common/createcluster.conf
  if ! command -v dpkg-query >/dev/null; then return; fi
  if [[ " $(missing_packages "$root/scripts/packages-examples.txt")" != *" postgresql-"* ]]; then return; fi
  if grep -qs '^create_main_cluster' "$settings"; then return; fi
  if [[ -e $settings ]]; then settings=/etc/postgresql-common/createcluster.d/heddle.conf; fi
  if ((EUID != 0)); then
    as_root=(sudo)
    if [[ ! -t 0 ]]; then as_root+=(-n); fi
  fi
  if ! { "${as_root[@]}" mkdir -p "${settings%/*}" &&
    "${as_root[@]}" tee "$settings" <<<'create_main_cluster = false' >/dev/null; }; then
    say "could not write $settings; the package of PostgreSQL may start a server that nobody needs"
  fi
}

# One compile job per core, but no more than one per GB of memory: a C++ compiler that is killed for memory tells nobody
# why.
compile_jobs() {
  local cores gigabytes
  cores=$(nproc)
  gigabytes=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo 2>/dev/null || true)
  if ((${gigabytes:-cores} < cores)); then cores=$((gigabytes > 0 ? gigabytes : 1)); fi
  echo "${HEDDLE_JOBS:-$cores}"
}

# configured <preset> [-D<name>=<value>...]: whether the build directory has been configured by this source tree, so.
configured() {
  local cache=$root/build/$1/CMakeCache.txt setting
  [[ -f $root/build/$1/build.ninja ]] && grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache" || return 1
  shift
  for setting in "$@"; do
    setting=${setting#-D}
    grep -qsE "^${setting%%=*}:[A-Z]+=${setting#*=}\$" "$cache" || return 1
  done
}

# configure <preset> [-D<name>=<value>...]: runs CMake unless that has been done; later changes of CMake files are
# noticed by Ninja itself.
configure() {
  if configured "$@"; then
    : >"$root/build/$1.log"
  else
    configure_again "$@"
  fi
}
configure_again() {
  local preset=$1 log=$root/build/$1.log fresh=()
  local cache=$root/build/$1/CMakeCache.txt
  shift
  : >"$log"
  # A cache left by a failed first attempt, or by a tree that was copied from elsewhere, remembers things that are no
  # longer so.
  if [[ -f $cache ]] && ! configured "$preset"; then fresh=(--fresh); fi
  progress "configuring $preset"
  if ! (cd "$root" && cmake "${fresh[@]}" --preset "$preset" "$@") >>"$log" 2>&1; then
    progress_done
    show_log "$log"
    die "could not configure; if a library is missing, install what scripts/packages.txt lists, then run again (full log: $log)"
  fi
}

# build <preset> [<target>...]: builds, with "[done/all]" as progress.
build() {
  local preset=$1 log=$root/build/$1.log line started=$SECONDS status=0 remedy
  shift
  if [[ ! -t 2 ]]; then say "building $preset (log: $log)"; fi
  progress "building $preset"
  # Without write access to a home directory ccache would fail every compilation; it then lives in the build tree.
  if [[ -z ${CCACHE_DIR:-} && ! -w ${HOME:-/nonexistent} ]]; then export CCACHE_DIR=$root/build/ccache; fi
  NINJA_STATUS='[%f/%t] ' cmake --build "$root/build/$preset" --parallel "$(compile_jobs)" ${1:+--target "$@"} 2>&1 |
    while IFS= read -r line; do
      printf '%s\n' "$line"
      if [[ $line == \[*/*\]* ]]; then progress "building $preset ${line%%\]*}]"; fi
    done >>"$log" || status=$?
  progress_done
  if ((status != 0)); then
    show_log "$log"
    remedy=$(sed -n 's/^heddle-remedy: //p' "$log" | tail -n 1)
    die "the build failed after $((SECONDS - started)) s; ${remedy:-if you changed nothing, remove build/$preset and run again} (full log: $log)"
  fi
}

# Two builds of one tree at the same time would write the same files: the second waits for the first. The lock is held
# until the caller ends or hands over to the program it starts (descriptor 9 is closed there).
lock_build() {
  mkdir -p "$root/build" 2>/dev/null || die "cannot write to $root/build; run from a copy you own"
  { exec 9>"$root/build/.lock"; } 2>/dev/null || die "cannot write to $root/build; run from a copy you own"
  if ! flock -n 9; then
    say "another build is running in this tree, waiting for it"
    flock 9
  fi
}
unlock_build() { exec 9>&-; }

# mark_start, mark_built <preset> [<component>]: the stamp the sources are compared with. It is written before the
# build and put in place after it, so that a file saved while the compiler runs counts as newer.
mark_start() {
  local stamp=$root/build/$1/.building${2:+-$2}
  { mkdir -p "$root/build/$1" && printf '%s\n' "$root" >"$stamp"; } || die "cannot write $stamp; is the disk full?"
}
mark_built() { mv "$root/build/$1/.building${2:+-$2}" "$root/build/$1/.built${2:+-$2}"; }

# fresh <product> <stamp> <path>...: whether the product is there and nothing below the paths was touched since the
# stamp. The stamp is as old as the start of the last successful build, and names the tree that was built: a copied
# tree is stale. Directories count too, so that a removed or renamed file is noticed.
fresh() {
  local product=$1 stamp=$2 built_in='' newer
  shift 2
  [[ -e $product && -f $stamp ]] || return 1
  IFS= read -r built_in <"$stamp" || true
  [[ $built_in == "$root" ]] || return 1
  newer=$(cd "$root" && find "$@" -newer "$stamp" -print -quit 2>/dev/null) || true
  [[ -z $newer ]]
}

# The components of this tree: the folders of components/.
component_names() {
  local file
  for file in "$root"/components/*/CMakeLists.txt; do
    file=${file%/CMakeLists.txt}
    if [[ -d $file ]]; then printf '%s\n' "${file##*/}"; fi
  done
}

# ensure_component_is_configured <preset> <name>: CMake has found all that the component needs. It looks again if it
# has not, because packages may have been installed since.
ensure_component_is_configured() {
  local state=$root/build/$1/components/$2.state said=''
  if [[ ! -f $state || $root/components/$2/CMakeLists.txt -nt $state ]] || ! grep -qx ready "$state"; then
    configure_again "$1"
  fi
  read -r said <"$state" || true
  if [[ $said != ready ]]; then
    die "the component $2 needs the package ${said#missing }, which CMake does not find; install it: apt-get install ${said#missing }"
  fi
}
