#!/usr/bin/env bash
# Drives a real Redis or etcd with many concurrent clients, records what they are answered, and checks it with `heddle lin`;
# or a real PostgreSQL or SQLite, whose transactions are checked with `heddle serializable`. The servers are started in a
# temporary directory, on free ports of the loopback interface or a socket in the directory, and stopped at the end.
set -euo pipefail

here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
root=$(readlink -f -- "$here/../..")

usage() {
  cat <<'USAGE'
usage: run.sh redis|etcd|postgres|sqlite [option...]

  --clients N        concurrent clients (16; postgres and sqlite: 8)
  --operations N     operations, or transactions, of all clients together (20000; postgres and sqlite: 2000)
  --keys N           keys they share (5)
  --seed N           of the random choices (1)
  --seconds N        the recording ends then at the latest (300)
  --history FILE     where the history goes, .edn or .jsonl (history.edn)
  --no-check         only record

Of redis and etcd:
  --pause N          milliseconds a client rests between two operations (0)
  --nodes N          servers, of etcd a cluster of 3 or 5; each client talks to one of them (1)
  --kill N           while the clients go on, kill a server with SIGKILL and restart it, N times, one after the other
  --every N          seconds between a restart and the next kill (redis: 0.3, etcd: 3)
  --durability WHAT  of redis: none, everysec or always, when it writes to disk (always)

Of postgres and sqlite:
  --isolation LEVEL  of postgres: read-committed, repeatable-read or serializable (read-committed, its default)
  --broken HOW       of sqlite: the client is wrong on purpose: reads-outside (its transactions) or lost-update
  --rounds N         how often the interleavings of the textbooks are played besides the clients (3)
  --level LEVEL      what is asked of the history; without it, a table says which levels hold

Debian packages of scripts/packages-examples.txt are installed if they are missing. HEDDLE names the program `heddle`.
Exit code: that of the check (0 holds, 1 violated, 2 unknown), 3 if something else went wrong.
USAGE
}

if [[ ${1:-} == --help || ${1:-} == -h ]]; then usage && exit 0; fi
system=${1:-}
case $system in
  redis | etcd) clients=16 operations=20000 ;;
  postgres | sqlite) clients=8 operations=2000 ;;
  *) usage >&2 && exit 3 ;;
esac
shift
keys=5 seed=1 seconds=300 history=history.edn check=yes
pause=0 nodes=1 kills=0 every='' durability=always
isolation=read-committed broken='' rounds=3 level=()
while (($# > 0)); do
  if [[ $1 == --no-check ]]; then check='' && shift && continue; fi
  if (($# < 2)); then usage >&2 && exit 3; fi
  case $system$1 in
    postgres--pause | postgres--nodes | postgres--kill | postgres--every | postgres--durability | postgres--broken | \
      sqlite--pause | sqlite--nodes | sqlite--kill | sqlite--every | sqlite--durability | sqlite--isolation | \
      redis--isolation | redis--broken | redis--rounds | redis--level | redis--nodes | \
      etcd--isolation | etcd--broken | etcd--rounds | etcd--level | etcd--durability)
      printf 'run.sh: %s has no %s\n' "$system" "$1" >&2
      exit 3
      ;;
  esac
  case $1 in
    --clients) clients=$2 ;;
    --operations) operations=$2 ;;
    --keys) keys=$2 ;;
    --seed) seed=$2 ;;
    --pause) pause=$2 ;;
    --seconds) seconds=$2 ;;
    --nodes) nodes=$2 ;;
    --kill) kills=$2 ;;
    --every) every=$2 ;;
    --durability) durability=$2 ;;
    --history) history=$2 ;;
    --isolation) isolation=$2 ;;
    --broken) broken=$2 ;;
    --rounds) rounds=$2 ;;
    --level) level=(--level "$2") ;;
    *) usage >&2 && exit 3 ;;
  esac
  shift 2
done
if [[ -z $every ]]; then if [[ $system == redis ]]; then every=0.3; else every=3; fi; fi

# shellcheck source=scripts/setup.sh
source "$root/scripts/setup.sh"
# shellcheck source=tests/support/postgres.sh
source "$root/tests/support/postgres.sh"

place=$(mktemp -d "${TMPDIR:-/tmp}/heddle-record-XXXXXX")
servers=() client=''
# shellcheck disable=SC2317  # called by the trap
cleanup() {
  if [[ -n $client ]]; then kill -TERM "$client" 2>/dev/null || true; fi # `timeout` passes it on
  if ((${#servers[@]} > 0)); then kill -KILL "${servers[@]}" 2>/dev/null || true; fi
  postgres_stop
  wait 2>/dev/null || true
  rm -rf -- "$place"
}
trap cleanup EXIT
trap 'exit 3' INT TERM HUP

build_client() {
  local flags=(-std=c++20 -O2 -pthread "-I$root/include") libraries=()
  program=$root/build/examples/record_$system
  mkdir -p "$root/build/examples"
  if [[ -x $program && -z $(find "$here" "$root/include/heddle/record.h" -newer "$program" -type f) ]]; then return; fi
  say "compiling $system.cpp"
  case $system in
    redis) libraries=(-lhiredis) ;;
    etcd) read -ra libraries <<<"$(pkg-config --cflags --libs cpp-httplib) -lboost_json" ;;
    postgres) read -ra libraries <<<"$(pkg-config --cflags --libs libpq)" ;;
    sqlite) libraries=(-lsqlite3) ;;
  esac
  # Under a name of its own first: a compilation that is interrupted leaves nothing that looks finished.
  g++ "${flags[@]}" "$here/$system.cpp" -o "$program.$$" "${libraries[@]}" || die "could not compile the client"
  mv "$program.$$" "$program"
}

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# choose_ports <how many>: into the array `free`, all different.
choose_ports() {
  local candidate
  free=()
  for _ in {1..1000}; do
    candidate=$((20000 + RANDOM % 10000))
    if [[ " ${free[*]} " != *" $candidate "* ]] && ! answers "$candidate"; then free+=("$candidate"); fi
    if ((${#free[@]} == $1)); then return; fi
  done
  die "found no free ports on 127.0.0.1"
}

# start_server <number>: in the background; its process goes into `servers`.
start_server() {
  local port=${ports[$1]} peer=http://127.0.0.1:${peer_ports[$1]} url=http://127.0.0.1:${ports[$1]} log=$place/log$1
  if [[ $system == redis ]]; then
    local persistence=(--appendonly yes --appendfsync "$durability")
    if [[ $durability == none ]]; then persistence=(--appendonly no); fi
    redis-server --bind 127.0.0.1 --port "$port" --dir "$place" --save '' "${persistence[@]}" >>"$log" 2>&1 &
  else
    etcd --name "node$1" --data-dir "$place/data$1" --logger zap --log-level error \
      --listen-client-urls "$url" --advertise-client-urls "$url" \
      --listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" --initial-cluster "$cluster" >>"$log" 2>&1 &
  fi
  servers[$1]=$!
}

# wait_for <number>: until it can be connected to.
wait_for() {
  for _ in {1..300}; do
    if answers "${ports[$1]}"; then return; fi
    if ! kill -0 "${servers[$1]}" 2>/dev/null; then break; fi
    sleep 0.1
  done
  tail -n 20 "$place/log$1" >&2
  die "$system did not start"
}

kill_server() {
  kill -KILL "${servers[$1]}"
  wait "${servers[$1]}" 2>/dev/null || true
  unset "servers[$1]"
}

# run_client <argument...>: in the background, until it is done or the time is over.
run_client() {
  timeout --kill-after=10 "$(awk "BEGIN { print $seconds + 30 }")" "$program" "$@" --clients "$clients" \
    --operations "$operations" --keys "$keys" --seed "$seed" --seconds "$seconds" --history "$history" &
  client=$!
}

# Several clients of one or more servers, which may be killed meanwhile.
record_operations() {
  local node port port_arguments=() killed=0
  choose_ports $((2 * nodes))
  ports=("${free[@]:0:nodes}") peer_ports=("${free[@]:nodes}")
  cluster=$(for ((node = 0; node < nodes; node++)); do printf ',node%d=http://127.0.0.1:%d' "$node" "${peer_ports[node]}"; done)
  cluster=${cluster#,}
  for ((node = 0; node < nodes; node++)); do start_server "$node"; done
  for ((node = 0; node < nodes; node++)); do wait_for "$node"; done
  for port in "${ports[@]}"; do port_arguments+=(--port "$port"); done
  run_client "${port_arguments[@]}" --pause "$pause"
  while ((killed < kills)) && sleep "$every" && kill -0 "$client" 2>/dev/null; do
    kill_server $((killed % nodes))
    start_server $((killed % nodes))
    wait_for $((killed % nodes))
    killed=$((killed + 1))
  done
  wait "$client" || die "the clients failed; a server's last words: $(tail -n 3 "$place/log0")"
  client=''
  if ((kills > 0)); then
    say "killed and restarted $system $killed times"
    if ((killed == 0)); then die "the clients were done before the first kill: give more --operations or less --every"; fi
  fi
  kill -KILL "${servers[@]}"
  wait 2>/dev/null || true
  servers=()
}

# Clients of a database, and scripts besides (transactions.h).
record_transactions() {
  if [[ $system == postgres ]]; then
    postgres_start || die "could not start PostgreSQL"
    run_client --isolation "$isolation" --rounds "$rounds"
  else
    run_client --where "$place/lists.db" --broken "$broken" --rounds "$rounds"
  fi
  wait "$client" || die "the clients failed"
  client=''
  postgres_stop
}

mkdir -p "$root/build"
ensure_servers
build_client
case $system in
  redis | etcd) record_operations ;;
  *) record_transactions ;;
esac

if [[ -z $check ]]; then exit 0; fi
status=0
case $system in
  redis | etcd) "${HEDDLE:-$root/heddle}" lin "$history" --spec map || status=$? ;;
  *) "${HEDDLE:-$root/heddle}" serializable "$history" "${level[@]}" || status=$? ;;
esac
exit "$status"
