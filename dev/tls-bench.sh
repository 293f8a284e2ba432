#!/usr/bin/env bash
# Measures TLS and HTTP/2 beside plain HTTP/1.1: dev/tls-bench.sh --help
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    cat <<'TEXT'
Measures what TLS costs: two servers over one etcd, one plain and one with TLS.

Usage: dev/tls-bench.sh [--workloads NAMES] [--pods COUNT] [--rounds COUNT] [--out FOLDER]

  --workloads NAMES  of tidemark bench (default: get-cached-1,list,watch,fan-out,idle)
  --pods COUNT       pods of about 10.8 KB each (default: 2000)
  --rounds COUNT     turns of each server and protocol (default: 5)
  --out FOLDER       where the results go (default: tls-bench)

Three targets take turns: plain (HTTP/1.1), tls (HTTP/1.1 over TLS) and http2 (HTTP/2 over TLS, a
hundred watches a connection). It takes about fifteen minutes and 3 GB of memory. Exit code 0 when
no request failed, 1 when one did, 2 for wrong usage.
TEXT
}

workloads=get-cached-1,list,watch,fan-out,idle
pods=2000
rounds=5
out=tls-bench
while [ $# -gt 0 ]; do
    case $1 in
        --help | -h)
            usage
            exit 0
            ;;
        --workloads | --pods | --rounds | --out)
            if [ $# -lt 2 ]; then
                echo "$1 needs a value; see --help" >&2
                exit 2
            fi
            declare "${1#--}=$2"
            shift 2
            ;;
        *)
            echo "unknown: $1; see --help" >&2
            exit 2
            ;;
    esac
done

./tidemark build
scratch=$(mktemp -d)
servers=()
cleanup() {
    local server
    for server in ${servers[@]+"${servers[@]}"}; do kill "$server" 2>/dev/null || true; done
    for server in ${servers[@]+"${servers[@]}"}; do wait "$server" 2>/dev/null || true; done
    rm -rf "$scratch"
}
trap cleanup EXIT

# start NAME OPTION...: starts a server, and waits until it is ready; its URL is then in $url.
start() {
    local name=$1 tries=0
    shift
    ./tidemark up --data "$scratch/$name" --listen 127.0.0.1:0 "$@" \
        >"$scratch/$name.out" 2>"$scratch/$name.log" &
    servers+=($!)
    until grep -q '^ready' "$scratch/$name.out"; do
        if [ "$tries" -eq 180 ] || ! kill -0 "${servers[-1]}" 2>/dev/null; then
            echo "the server $name did not start:" >&2
            tail -n 20 "$scratch/$name.out" "$scratch/$name.log" >&2
            exit 1
        fi
        tries=$((tries + 1))
        sleep 1
    done
    url=$(sed -n 's/^ready *\([^ ]*\).*/\1/p' "$scratch/$name.out")
    echo "$name: $url"
}

./tidemark certs --out "$scratch/certs" >/dev/null
start plain
plain=$url
etcd=$(sed -n 's/^etcd *\([^ ]*\).*/\1/p' "$scratch/plain.out")
start tls --etcd "$etcd" \
    --tls-cert "$scratch/certs/localhost.crt" --tls-key "$scratch/certs/localhost.key"
./tidemark bench --etcd "$etcd" --fill --pods "$pods" --rounds "$rounds" \
    --workloads "$workloads" --out "$out" --target-ca "$scratch/certs/ca.crt" \
    --target plain="$plain" --process plain="${servers[0]}" \
    --target tls="$url" --process tls="${servers[1]}" \
    --target http2="$url" --target-http2 http2 --process http2="${servers[1]}"
