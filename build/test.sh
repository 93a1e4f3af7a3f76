#!/bin/sh
# Runs the tests: build/test.sh MAVEN [--all] [MAVEN OPTIONS]. Called by ./weir test.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd -P)
mvn=$1
shift
foreign=false
case ${1:-} in
  -h|--help)
    printf '%s\n' 'usage: ./weir test [--all] [MAVEN OPTIONS]' \
      '  --all  also the clients that are not Java, which it installs, and the load of real input'
    exit 0
    ;;
esac
if [ "${1:-}" = --all ]; then
  foreign=true
  shift
fi
foreign_clients='kcat, confluent_kafka (Python), kafkajs, @opensearch-project/opensearch (Node.js)'

say() { printf '%s\n' "weir test: $*"; }

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

# Debian's packages and npm's, for the clients that are not Java.
install_foreign_clients() {
  packages=
  command -v kcat >/dev/null 2>&1 || packages="$packages kcat"
  /usr/bin/python3 -c 'import confluent_kafka' 2>/dev/null || packages="$packages python3-confluent-kafka"
  command -v node >/dev/null 2>&1 || packages="$packages nodejs npm"
  if [ -n "$packages" ]; then
    say "installing$packages"
    as_root apt-get update -qq
    # shellcheck disable=SC2086 # names are words on purpose
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages
  fi
  say "installing kafkajs and @opensearch-project/opensearch"
  ( cd "$root/conformance/clients" && npm ci --no-audit --no-fund --loglevel=error )
}

if [ "$foreign" = true ]; then install_foreign_clients; fi
cd "$root"
"$mvn" -B --no-transfer-progress verify -Dweir.foreign="$foreign" "$@"
if [ "$foreign" = false ]; then
  say "skipped, since they need more than Java: $foreign_clients, and the load of real input." \
    "./weir test --all runs them too."
fi
