#!/usr/bin/env bash
# Builds, then tests a cluster of real processes with the deletion of very many objects at one etcd
# revision: dev/big-revision.sh --help
set -euo pipefail
cd "$(dirname "$0")/.."
classpath=$(mktemp)
trap 'rm -f "$classpath"' EXIT
mvn -B -q -pl e2e-tests -am dependency:build-classpath -DincludeScope=test \
    -Dmdep.outputFile="$classpath" -Dmdep.regenerateFile=true package -DskipTests
java=$(./tidemark jdk)/bin/java
"$java" -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -Xmx1g \
    -cp "e2e-tests/target/test-classes:$(cat "$classpath")" io.tidemark.cluster.BigRevisionMain "$@"
