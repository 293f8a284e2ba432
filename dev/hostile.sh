#!/usr/bin/env bash
# Runs a hostile client against a node and measures another client: dev/hostile.sh --help
set -euo pipefail
cd "$(dirname "$0")/.."
source dev/build-tests.sh
build_tests e2e-tests package
exec "${java[@]}" -cp "$classpath" io.tidemark.hostile.HostileMain "$@"
