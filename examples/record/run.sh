#!/usr/bin/env bash
# Drives a real Redis or etcd with many concurrent clients, records what they are answered, and checks it with `heddle lin`.
# The server is started on a free port of the loopback interface in a temporary directory, and stopped at the end.
set -euo pipefail

here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
root=$(readlink -f -- "$here/../..")

usage() {
  cat <<'USAGE'
usage: run.sh redis|etcd [option...]

  --clients N        concurrent clients (16)
  --operations N     operations of all clients together (20000)
  --keys N           keys they share (5)
  --seed N           of the random choices (1)
  --pause N          milliseconds a client rests between two operations (0)
  --seconds N        the recording ends then at the latest (300)
  --kill N           while the clients go on, kill the server with SIGKILL and restart it, N times
  --every N          seconds between a restart and the next kill (redis: 0.3, etcd: 3)
  --durability WHAT  of redis: none, everysec or always, when it writes to disk (always)
  --history FILE     where the history goes, .edn or .jsonl (history.edn)
  --no-check         only record

Debian packages of scripts/packages-examples.txt are installed if they are missing. HEDDLE names the program `heddle`.
Exit code: that of `heddle lin` (0 holds, 1 violated, 2 unknown), 3 if something else went wrong.
USAGE
}

if [[ ${1:-} == --help || ${1:-} == -h ]]; then usage && exit 0; fi
system=${1:-}
if [[ $system != redis && $system != etcd ]]; then usage >&2 && exit 3; fi
shift
clients=16 operations=20000 keys=5 seed=1 pause=0 seconds=300 kills=0 every='' durability=always history=history.edn check=yes
while (($# > 0)); do
  if [[ $1 == --no-check ]]; then check='' && shift && continue; fi
  if (($# < 2)); then usage >&2 && exit 3; fi
  case $1 in
    --clients) clients=$2 ;;
    --operations) operations=$2 ;;
    --keys) keys=$2 ;;
    --seed) seed=$2 ;;
    --pause) pause=$2 ;;
    --seconds) seconds=$2 ;;
    --kill) kills=$2 ;;
    --every) every=$2 ;;
    --durability) durability=$2 ;;
    --history) history=$2 ;;
    *) usage >&2 && exit 3 ;;
  esac
  shift 2
done
if [[ -z $every ]]; then if [[ $system == redis ]]; then every=0.3; else every=3; fi; fi

# shellcheck source=scripts/setup.sh
source "$root/scripts/setup.sh"

place=$(mktemp -d "${TMPDIR:-/tmp}/heddle-record-XXXXXX")
server='' client=''
# shellcheck disable=SC2317  # called by the trap
cleanup() {
  if [[ -n $client ]]; then kill -TERM "$client" 2>/dev/null || true; fi # `timeout` passes it on
  if [[ -n $server ]]; then kill -KILL "$server" 2>/dev/null || true; fi
  wait 2>/dev/null || true
  rm -rf -- "$place"
}
trap cleanup EXIT
trap 'exit 3' INT TERM

# A package of a server starts it as a service of the machine; one installed only now is stopped again.
install_packages() {
  local services=() service
  command -v redis-server >/dev/null || services+=(redis-server)
  command -v etcd >/dev/null || services+=(etcd)
  mkdir -p "$root/build"
  ensure_packages "$root/scripts/packages-examples.txt"
  for service in "${services[@]}"; do
    if command -v systemctl >/dev/null && systemctl is-system-running >/dev/null 2>&1; then
      systemctl disable --now "$service" >/dev/null 2>&1 || say "could not stop the service $service; it is not needed"
    elif [[ -x /etc/init.d/$service ]]; then
      "/etc/init.d/$service" stop >/dev/null 2>&1 || true
    fi
  done
}

build_client() {
  local flags=(-std=c++20 -O2 -pthread "-I$root/include")
  program=$root/build/examples/record_$system
  mkdir -p "$root/build/examples"
  if [[ -x $program && -z $(find "$here" "$root/include/heddle/record.h" -newer "$program" -type f) ]]; then return; fi
  say "compiling $system.cpp"
  # Under a name of its own first: a compilation that is interrupted leaves nothing that looks finished.
  if [[ $system == redis ]]; then
    g++ "${flags[@]}" "$here/redis.cpp" -o "$program.$$" -lhiredis || die "could not compile the client"
  else
    # shellcheck disable=SC2046  # several words
    g++ "${flags[@]}" "$here/etcd.cpp" -o "$program.$$" $(pkg-config --cflags --libs cpp-httplib) -lboost_json ||
      die "could not compile the client"
  fi
  mv "$program.$$" "$program"
}

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

free_port() {
  local candidate
  for _ in {1..100}; do
    candidate=$((20000 + RANDOM % 10000))
    if ! answers "$candidate"; then
      echo "$candidate"
      return
    fi
  done
  die "found no free port on 127.0.0.1"
}

start_server() {
  if [[ $system == redis ]]; then
    local persistence=(--appendonly yes --appendfsync "$durability")
    if [[ $durability == none ]]; then persistence=(--appendonly no); fi
    redis-server --bind 127.0.0.1 --port "$port" --dir "$place" --save '' "${persistence[@]}" >>"$place/log" 2>&1 &
  else
    etcd --name one --data-dir "$place/data" --logger zap --log-level error \
      --listen-client-urls "http://127.0.0.1:$port" --advertise-client-urls "http://127.0.0.1:$port" \
      --listen-peer-urls "http://127.0.0.1:$peer_port" --initial-advertise-peer-urls "http://127.0.0.1:$peer_port" \
      --initial-cluster "one=http://127.0.0.1:$peer_port" >>"$place/log" 2>&1 &
  fi
  server=$!
  for _ in {1..300}; do
    if answers "$port"; then return; fi
    if ! kill -0 "$server" 2>/dev/null; then break; fi
    sleep 0.1
  done
  tail -n 20 "$place/log" >&2
  die "$system did not start"
}

kill_server() {
  kill -KILL "$server"
  wait "$server" 2>/dev/null || true
  server=''
}

install_packages
build_client
port=$(free_port) peer_port=$(free_port)
start_server
timeout --kill-after=10 "$(awk "BEGIN { print $seconds + 30 }")" "$program" --port "$port" --clients "$clients" \
  --operations "$operations" --keys "$keys" --seed "$seed" --pause "$pause" --seconds "$seconds" --history "$history" &
client=$!
killed=0
while ((killed < kills)) && sleep "$every" && kill -0 "$client" 2>/dev/null; do
  kill_server
  start_server
  killed=$((killed + 1))
done
wait "$client" || die "the clients failed; the server's last words: $(tail -n 3 "$place/log")"
client=''
kill_server
if ((kills > 0)); then
  say "killed and restarted $system $killed times"
  if ((killed == 0)); then die "the clients were done before the first kill: give more --operations or less --every"; fi
fi

if [[ -z $check ]]; then exit 0; fi
status=0
"${HEDDLE:-$root/heddle}" lin "$history" --spec map || status=$?
exit "$status"
