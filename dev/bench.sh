#!/usr/bin/env bash
# Builds and runs the JMH benchmarks; passes arguments to JMH, such as a name: dev/bench.sh Scan
set -euo pipefail
cd "$(dirname "$0")/.."
classpath=$(mktemp)
trap 'rm -f "$classpath"' EXIT
mvn -B -q -pl benchmarks -am -DskipTests test-compile dependency:build-classpath \
    -DincludeScope=test -Dmdep.outputFile="$classpath" -Dmdep.regenerateFile=true
java=$(./tidemark jdk)/bin/java
"$java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    -cp "benchmarks/target/test-classes:benchmarks/target/classes:$(cat "$classpath")" org.openjdk.jmh.Main "$@"
