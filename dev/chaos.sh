#!/usr/bin/env bash
# Builds and runs a cluster of real processes under faults: dev/chaos.sh --help
# docs/chaos.md explains the test and its report.
set -euo pipefail
cd "$(dirname "$0")/.."
source dev/build-tests.sh
build_tests e2e-tests package
# Without the optimizing compiler, whose threads would compete with the tested processes for CPU.
exec "${java[@]}" -XX:TieredStopAtLevel=1 -Xmx2g -cp "$classpath" io.tidemark.chaos.ChaosMain "$@"
