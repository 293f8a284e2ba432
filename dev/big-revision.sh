#!/usr/bin/env bash
# Builds, then tests a cluster of real processes with the deletion of very many objects at one etcd
# revision: dev/big-revision.sh --help
set -euo pipefail
cd "$(dirname "$0")/.."
source dev/build-tests.sh
build_tests e2e-tests package
exec "${java[@]}" -XX:TieredStopAtLevel=1 -Xmx1g -cp "$classpath" io.tidemark.cluster.BigRevisionMain "$@"
