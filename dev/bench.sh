#!/usr/bin/env bash
# Builds and runs the JMH benchmarks; passes arguments to JMH, such as a name: dev/bench.sh Scan
set -euo pipefail
cd "$(dirname "$0")/.."
source dev/build-tests.sh
build_tests benchmarks test-compile
exec "${java[@]}" -cp "$classpath" org.openjdk.jmh.Main "$@"
