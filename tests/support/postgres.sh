#!/usr/bin/env bash
# A PostgreSQL of one's own, for tests and examples: started as an unprivileged user in a temporary directory, reached by
# a socket in that directory and nothing else. Clusters of the machine are not touched: neither their data, nor their
# ports, nor what variables of the environment say about them.
#
#   tests/support/postgres.sh COMMAND [ARGUMENT...]    runs a command beside a server, which is removed afterwards
#
#   source tests/support/postgres.sh                   the same in parts
#   postgres_start                                     libpq and psql find it by PGHOST, PGPORT, PGUSER and PGDATABASE
#   postgres_stop                                      stops it and removes its directory; does nothing if there is none
#
# Whoever sources it calls postgres_stop from a trap for EXIT. A script that is killed leaves no server: it ends with it.
# shellcheck shell=bash

postgres_place='' postgres_process='' postgres_bin='' postgres_as=()

# The newest version that is there; the programs of a server are not in PATH.
postgres_find() {
  local folder
  for folder in "$(pg_config --bindir 2>/dev/null || true)" $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -rV); do
    if [[ -x $folder/initdb && -x $folder/postgres ]]; then
      postgres_bin=$folder
      return
    fi
  done
  printf '%s: there is no PostgreSQL server; apt-get install postgresql\n' "${0##*/}" >&2
  return 3
}

# It refuses to run as root. What it runs as must be able to enter its directory, so it starts there.
postgres_run() {
  (cd "$postgres_place" && exec "${postgres_as[@]}" "$@")
}

postgres_start() {
  local variables=("${!PG@}") _
  postgres_find || return
  if ((${#variables[@]} > 0)); then unset "${variables[@]}"; fi
  postgres_place=$(mktemp -d /tmp/heddle-postgres-XXXXXX) # short: the name of a socket has at most 107 characters
  postgres_as=(setpriv --pdeathsig INT --)
  if ((EUID == 0)); then
    chown nobody "$postgres_place"
    postgres_as=(setpriv --reuid nobody --regid "$(id -g nobody)" --clear-groups --pdeathsig INT --)
  fi
  export PGHOST=$postgres_place PGPORT=54329 PGUSER=heddle PGDATABASE=postgres
  if ! postgres_run "$postgres_bin/initdb" -D "$postgres_place/data" -U heddle -A trust -E UTF8 --locale=C --no-sync \
    >"$postgres_place/log" 2>&1; then
    tail -n 20 "$postgres_place/log" >&2
    return 3
  fi
  # Deadlocks are part of the workloads: they are looked for early.
  (
    cd "$postgres_place" && exec "${postgres_as[@]}" "$postgres_bin/postgres" -D "$postgres_place/data" \
      -k "$postgres_place" -p "$PGPORT" -c listen_addresses= -c fsync=off -c shared_buffers=16MB \
      -c deadlock_timeout=50ms -c autovacuum=off
  ) >>"$postgres_place/log" 2>&1 </dev/null &
  postgres_process=$!
  for _ in {1..600}; do
    if "$postgres_bin/pg_isready" -q; then return; fi
    if ! kill -0 "$postgres_process" 2>/dev/null; then break; fi
    sleep 0.1
  done
  tail -n 20 "$postgres_place/log" >&2
  printf '%s: PostgreSQL did not start\n' "${0##*/}" >&2
  return 3
}

# At once: nobody needs its data any more.
postgres_stop() {
  local _
  if [[ -n $postgres_process ]]; then
    kill -QUIT "$postgres_process" 2>/dev/null || true
    for _ in {1..50}; do
      if ! kill -0 "$postgres_process" 2>/dev/null; then break; fi
      sleep 0.1
    done
    kill -KILL "$postgres_process" 2>/dev/null || true
    wait "$postgres_process" 2>/dev/null || true
    postgres_process=''
  fi
  if [[ -n $postgres_place ]]; then
    rm -rf -- "$postgres_place"
    postgres_place=''
  fi
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  set -euo pipefail
  if (($# == 0)); then
    printf 'usage: postgres.sh COMMAND [ARGUMENT...]\n' >&2
    exit 3
  fi
  command=''
  # shellcheck disable=SC2317  # called by the trap
  cleanup() {
    if [[ -n $command ]]; then kill -TERM "$command" 2>/dev/null || true; fi
    postgres_stop
  }
  trap cleanup EXIT
  trap 'exit 3' INT TERM HUP
  postgres_start
  status=0
  "$@" <&0 & # a signal is dealt with at once only while the shell waits
  command=$!
  wait "$command" || status=$?
  command=''
  exit "$status"
fi
