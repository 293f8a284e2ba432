#!/usr/bin/env bash
# Builds and runs a cluster of real processes under faults: dev/chaos.sh --help
# docs/chaos.md explains the test and its report.
set -euo pipefail
cd "$(dirname "$0")/.."
mvn -B -q -DskipTests -pl e2e-tests -am package
classpath=$(mktemp)
trap 'rm -f "$classpath"' EXIT
mvn -B -q -pl e2e-tests -am dependency:build-classpath -DincludeScope=test \
    -Dmdep.outputFile="$classpath" -Dmdep.regenerateFile=true package -DskipTests
java=$(./tidemark jdk)/bin/java
# Without the optimizing compiler, whose threads would compete with the tested processes for CPU.
"$java" -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -Xmx2g \
    -cp "e2e-tests/target/test-classes:$(cat "$classpath")" io.tidemark.chaos.ChaosMain "$@"
