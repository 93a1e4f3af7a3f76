#!/bin/sh
# Measurements: build/bench.sh startup|smoke|search|codec|log|recall|idle [OPTIONS]. Called by ./weir bench, which has built
# everything and set JAVA_HOME. Where Apache Kafka has a part, both servers are measured in one run,
# in turn, on the same machine. Figures are a line of JSON each; docs/benchmarks.md keeps the medians.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd -P)
peer=${WEIR_PEER_DIR:-$root/../shared/peer}/kafka
weir_port=${WEIR_BENCH_PORT:-19092}
http_port=$((weir_port + 1))
peer_port=$((weir_port + 10))
rounds=${ROUNDS:-3}
settle=${SETTLE:-10} # seconds between the first answer and the look at memory
idle=${IDLE:-30}     # seconds over which the CPU of an idle server is read
work=$(mktemp -d "${TMPDIR:-/tmp}/weir-bench.XXXXXX")

say() { printf '%s\n' "weir bench: $*" >&2; }
usage() { printf '%s\n' "usage: ./weir bench startup | smoke | search | codec [JMH OPTIONS] | log [JMH OPTIONS] | recall [DOCUMENTSxDIMENSION...] | idle" >&2; exit "$1"; }

stop() { # DIR: ends the server that was started over DIR, if any
  [ -f "$1/pid" ] || return 0
  pid=$(cat "$1/pid")
  kill "$pid" 2>/dev/null || true
  while [ -d "/proc/$pid" ] && [ "$(awk '{print $3}' "/proc/$pid/stat" 2>/dev/null || echo Z)" != Z ]; do sleep 0.05; done
  rm -f "$1/pid"
}
cleanup() { stop "$work/weir"; stop "$work/peer"; rm -rf "$work"; }
trap cleanup EXIT
trap 'exit 130' INT TERM

require_peer() {
  [ -x "$peer/start.sh" ] || { say "no peer to measure against at $peer: set WEIR_PEER_DIR to the folder that holds kafka/start.sh"; exit 2; }
}

# Starts a node in the background over DIR, with more properties in the second argument.
start_weir() {
  mkdir -p "$1"
  printf '%s\n' "${2:-}" >"$1/node.properties"
  setsid "$root/weir" start --data "$1/data" --kafka "127.0.0.1:$weir_port" \
    --http "127.0.0.1:$http_port" --config "$1/node.properties" >"$1/out.log" 2>&1 </dev/null &
  echo $! >"$1/pid"
}

measure() { python3 "$peer/measure.py" "$@"; }

startup() {
  require_peer
  mkdir -p "$work/weir" "$work/peer"
  export work root peer weir_port http_port
  # Only this file's functions know how a node is started, so the measuring tool calls it back.
  weir_start="sh '$root/build/bench.sh' --start-weir '$work/weir'"
  round=1
  while [ "$round" -le "$rounds" ]; do
    measure start --label "weir/$round" --start "$weir_start" --pidfile "$work/weir/pid" \
      --port "$weir_port" --settle "$settle" --idle "$idle"
    stop "$work/weir"
    measure start --label "kafka/$round" --start "'$peer/start.sh' '$work/peer' $peer_port" \
      --pidfile "$work/peer/pid" --port "$peer_port" --settle "$settle" --idle "$idle"
    stop "$work/peer"
    round=$((round + 1))
  done
}

smoke() {
  require_peer
  round=1
  while [ "$round" -le "$rounds" ]; do
    for flush in group os; do
      rm -rf "$work/weir"
      start_weir "$work/weir" "weir.flush.single.replica=$flush"
      measure ready --port "$weir_port" >/dev/null
      "$peer/suite.sh" "$weir_port" "$(cat "$work/weir/pid")" "weir-$flush/$round"
      stop "$work/weir"
    done
    rm -rf "$work/peer"
    "$peer/start.sh" "$work/peer" "$peer_port"
    measure ready --port "$peer_port" >/dev/null
    "$peer/suite.sh" "$peer_port" "$(cat "$work/peer/pid")" "kafka/$round"
    stop "$work/peer"
    round=$((round + 1))
  done
}

# Indexing and searching, beside OpenSearch with its k-NN plugin: DOCS documents with text, tags and a
# vector, first as indexed, then in one segment. Hybrid queries only on our side: the plugin that OpenSearch
# needs for them is not published as an artefact.
search() {
  searching=${WEIR_PEER_DIR:-$root/../shared/peer}
  [ -f "$searching/search-load/Load.java" ] || { say "no load to measure with at $searching/search-load: set WEIR_PEER_DIR"; exit 2; }
  docs=${DOCS:-100000}
  build_benchmarks
  rm -rf "$work/weir"
  start_weir "$work/weir"
  measure ready --port "$weir_port" >/dev/null
  search_load "http://127.0.0.1:$http_port" "$(cat "$work/weir/pid")" weir true
  hybrid_cost "http://127.0.0.1:$http_port" "$(cat "$work/weir/pid")"
  stop "$work/weir"
  mkdir -p "$work/peer"
  "$searching/opensearch/start.sh" "$peer_port" 1g | tail -n 1 >"$work/peer/pid"
  search_load "http://127.0.0.1:$peer_port" "$(cat "$work/peer/pid")" opensearch false
  stop "$work/peer"
}

search_load() { # URL PID LABEL HYBRID
  load() {
    "$JAVA_HOME/bin/java" "$searching/search-load/Load.java" "$@" --url "$url" --pid "$server" \
      --docs "$docs" --secs "${SECS:-4}"
  }
  url=$1; server=$2
  load index --label "$3"
  load search --label "$3/as-indexed" --hybrid "$4"
  load merge --label "$3"
  load search --label "$3/one-segment" --hybrid "$4"
  "$JAVA_HOME/bin/java" -cp "$root/benchmarks/target/classes" dev.weir.benchmarks.request.RequestCost \
    "$3/no-work" "$url/bench" "$server"
}

# Hybrid searches beside their parts on plain Lucene, over the files of the load's index.
hybrid_cost() { # URL PID
  "$JAVA_HOME/bin/java" --add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED \
    -cp "$root/benchmarks/target/classes:$(cat "$root/benchmarks/target/classpath")" \
    dev.weir.benchmarks.request.HybridCost weir/one-segment "$1/bench/_search?search_pipeline=bench-nlp" "$2" \
    "$(echo "$work"/weir/data/.weir-indexes/*/0)"
}

build_benchmarks() {
  mvn=$(command -v mvn) || { say "Maven is not on PATH"; exit 2; }
  ( cd "$root" && "$mvn" -B -q -DskipTests -pl benchmarks -am process-classes )
}

# Recall and cost of filtered vector search by selectivity. Real vectors are read in place, if there.
recall() {
  build_benchmarks
  # A million vectors of 128 dimensions need a heap of 6 GB, and their graph takes a quarter of an hour: the indexes
  # stay in the folder WEIR_RECALL_INDEXES, if that is set.
  [ $# -gt 0 ] || set -- 100000x128 30000x384 20000x768
  "$JAVA_HOME/bin/java" --add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED -Xmx"${WEIR_BENCH_HEAP:-2g}" \
    ${WEIR_RECALL_INDEXES:+"-Dweir.recall.indexes=$WEIR_RECALL_INDEXES"} -cp "$root/benchmarks/target/classes:$(cat "$root/benchmarks/target/classpath")" \
    dev.weir.benchmarks.recall.Recall "${WEIR_RECALL_SVG:-$root/docs/recall.svg}" \
    "${WEIR_VECTORS:-$root/../shared/data/vectors/words-50k-100d.f32le.gz}" "$@"
}

codec() {
  build_benchmarks
  "$JAVA_HOME/bin/java" -cp "$root/benchmarks/target/classes:$(cat "$root/benchmarks/target/classpath")" \
    org.openjdk.jmh.Main MessageCodec -prof gc -prof dev.weir.benchmarks.CpuTime "$@"
}

# The log engine beside Apache Kafka's own, in one process each, both over files below java.io.tmpdir.
log_engine() {
  build_benchmarks
  run_log() {
    "$JAVA_HOME/bin/java" -Xmx"${WEIR_BENCH_HEAP:-2g}" --enable-native-access=ALL-UNNAMED \
      --sun-misc-unsafe-memory-access=allow -Dslf4j.internal.verbosity=ERROR \
      -cp "$root/benchmarks/target/classes:$(cat "$root/benchmarks/target/classpath")" "$@"
  }
  run_log org.openjdk.jmh.Main 'benchmarks.log.Log' -prof gc -prof dev.weir.benchmarks.CpuTime "$@"
  for engine in WEIR KAFKA; do
    run_log dev.weir.benchmarks.log.OpenPartitions "$engine" "${PARTITIONS:-10000}"
    run_log dev.weir.benchmarks.log.CompactionCost "$engine" 2 100
  done
  run_log dev.weir.benchmarks.log.StartAfterKill 1000 100
}

# CPU of idle consumers: SESSIONS of them, each of PARTITIONS empty partitions, for SECS seconds.
idle_consumers() {
  build_benchmarks
  idle_sessions() { # LABEL PORT PIDFILE
    "$JAVA_HOME/bin/java" -cp "$root/benchmarks/target/classes:$(cat "$root/benchmarks/target/classpath")" \
      dev.weir.benchmarks.fetch.IdleSessions "$1" "$2" "$(cat "$3")" "${SESSIONS:-200}" "${PARTITIONS:-300}" "${SECS:-60}"
  }
  rm -rf "$work/weir"
  start_weir "$work/weir"
  await_port "$weir_port"
  idle_sessions weir "$weir_port" "$work/weir/pid"
  stop "$work/weir"
  [ -x "$peer/start.sh" ] || return 0
  mkdir -p "$work/peer"
  "$peer/start.sh" "$work/peer" "$peer_port"
  await_port "$peer_port"
  idle_sessions kafka "$peer_port" "$work/peer/pid"
  stop "$work/peer"
}

await_port() {
  tries=0
  while ! python3 -c "import socket; socket.create_connection(('127.0.0.1', $1)).close()" 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -le 120 ] || { say "no server on port $1 within a minute"; exit 1; }
    sleep 0.5
  done
}

case "${1:-}" in
  startup) startup ;;
  smoke) smoke ;;
  search) search ;;
  codec) shift; codec "$@" ;;
  log) shift; log_engine "$@" ;;
  recall) shift; recall "$@" ;;
  idle) idle_consumers ;;
  --start-weir) trap - EXIT; rm -rf "$work"; start_weir "$2" ;;
  -h|--help) usage 0 ;;
  *) usage 2 ;;
esac
