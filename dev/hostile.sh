#!/usr/bin/env bash
# Runs a hostile client against a node and measures another client: dev/hostile.sh --help
set -euo pipefail
cd "$(dirname "$0")/.."
classpath=$PWD/e2e-tests/target/hostile.classpath
mvn -B -q -ntp -pl e2e-tests -am -DskipTests package dependency:build-classpath \
    -DincludeScope=test -Dmdep.outputFile="$classpath"
java=$(./tidemark jdk)/bin/java
exec "$java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    -cp "e2e-tests/target/test-classes:$(cat "$classpath")" io.tidemark.hostile.HostileMain "$@"
