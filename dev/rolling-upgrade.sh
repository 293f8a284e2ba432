#!/usr/bin/env bash
# Rolls a cluster between another release and this checkout, under load: dev/rolling-upgrade.sh --help
set -euo pipefail
cd "$(dirname "$0")/.."
source dev/build-tests.sh

usage() {
    cat <<'TEXT'
Upgrades a running cluster from another release to this checkout, and downgrades it again.

Usage: dev/rolling-upgrade.sh [--from REF] [--minutes M] [OPTION...]

  --from REF     the other release: a tag, branch or commit (default: the last tag)
  --minutes M    how long members are restarted (default: 15)
  OPTION...      further options of dev/chaos.sh, such as --objects 20000 or --folder DIR

The script builds REF in a temporary worktree, and this checkout. It starts etcd, a broker, two
connectors and three nodes, of REF. A writer changes objects in etcd at a steady rate; watchers and
readers record what they receive. Then it restarts one member after the other (SIGTERM, and the
other release's jars on the same folder), each when the cluster is healthy again:

  1. up to this checkout, the nodes before the connectors
  2. down to REF, in the reverse order: the connectors before the nodes
  3. up, the connectors before the nodes
  4. down, the nodes before the connectors; then from 1 again

At the end all records are compared with what etcd did, as docs/chaos.md describes, and a summary is
printed. Exit code 0 when every promise was kept, 1 when one was broken, 2 for wrong usage.

REF must be a release that this one can be mixed with: docs/operate.md, "Upgrades".
TEXT
}

from=
minutes=15
further=()
while [ $# -gt 0 ]; do
    case $1 in
        --help | -h)
            usage
            exit 0
            ;;
        --from | --minutes)
            if [ $# -lt 2 ]; then
                echo "$1 needs a value; see --help" >&2
                exit 2
            fi
            if [ "$1" = --from ]; then from=$2; else minutes=$2; fi
            shift 2
            ;;
        *)
            further+=("$1")
            shift
            ;;
    esac
done
if [ -z "$from" ] && ! from=$(git describe --tags --abbrev=0 2>/dev/null); then
    echo "this repository has no tag yet: name the other release with --from REF, for example" >&2
    echo "  dev/rolling-upgrade.sh --from HEAD~20" >&2
    exit 2
fi
if ! commit=$(git rev-parse --verify --quiet "$from^{commit}"); then
    echo "no such release: $from" >&2
    exit 2
fi

scratch=$(mktemp -d)
cleanup() {
    git worktree remove --force "$scratch/release" 2>/dev/null || true
    rm -rf "$scratch"
}
trap cleanup EXIT

echo "building $from ($(git log -1 --format=%h "$commit"))"
git worktree add --quiet --detach "$scratch/release" "$commit"
(
    cd "$scratch/release"
    mvn -B -q -Dmaven.test.skip=true -Dspotless.check.skip=true -pl standalone -am package
)

echo "building this checkout"
build_tests e2e-tests package
# Without the optimizing compiler, whose threads would compete with the tested processes for CPU.
"${java[@]}" -XX:TieredStopAtLevel=1 -Xmx2g -cp "$classpath" io.tidemark.chaos.ChaosMain \
    --faults roll --minutes "$minutes" \
    --other-release "$from" "$scratch/release/standalone/target/dist/lib/*" \
    --objects 5000 --watchers 100 --rate 100 --history 10m ${further[@]+"${further[@]}"}
