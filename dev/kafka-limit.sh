#!/usr/bin/env bash
# Measures what Kafka alone costs: dev/kafka-limit.sh --help
set -euo pipefail
cd "$(dirname "$0")/.."
source dev/build-tests.sh

usage() {
    cat <<'TEXT'
Measures what Kafka alone costs where `tidemark up` uses it, in one process: the broker at rest; the
broker, one producer and one consumer with 100 writes of 10.8 KB a second and their marks; and with
as many as they can. No mirror over Kafka costs less. It needs some GB of space in the folder for
temporary files while it runs.

Usage: dev/kafka-limit.sh [--seconds COUNT]

  --seconds COUNT  for each of the three phases, after as long a time to warm up (default: 60)

Exit code 0 when all was measured, 1 when something failed, 2 for wrong usage.
TEXT
}

seconds=60
while [ $# -gt 0 ]; do
    case $1 in
        --help | -h)
            usage
            exit 0
            ;;
        --seconds)
            if [ $# -lt 2 ]; then
                echo "$1 needs a value; see --help" >&2
                exit 2
            fi
            seconds=$2
            shift 2
            ;;
        *)
            echo "unknown option $1; see --help" >&2
            exit 2
            ;;
    esac
done
if [[ ! $seconds =~ ^[1-9][0-9]{0,3}$ ]]; then
    echo "--seconds must be a number from 1 to 9999, not $seconds" >&2
    exit 2
fi

build_tests local-services test-compile
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "measuring for $((6 * seconds)) s"
"${java[@]}" -Xmx512m -cp "$classpath" io.tidemark.local.kafka.KafkaAlone "$folder" "$seconds"
