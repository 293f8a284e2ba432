#!/usr/bin/env bash
# Runs any number of seeds of the simulation: dev/simulate.sh --help
set -euo pipefail
cd "$(dirname "$0")/.."
classpath=$PWD/e2e-tests/target/simulation.classpath
mvn -B -q -ntp -pl e2e-tests -am -DskipTests test-compile dependency:build-classpath \
    -DincludeScope=test -Dmdep.outputFile="$classpath"
java=$(./tidemark jdk)/bin/java
# Seeds are short and leave nothing behind: throughput counts, pauses do not. A third of the CPU of 10,000 seeds was the
# compilers': with smaller methods and fewer optimizations they take 91 s instead of 106. Once all is compiled, seeds take a
# tenth longer.
exec "$java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    --add-exports=java.base/jdk.internal.vm=ALL-UNNAMED \
    -XX:+UseParallelGC -Xms1g -Xmx1g -Xmn600m -XX:+UseCompactObjectHeaders \
    -XX:+UseTransparentHugePages \
    -XX:FreqInlineSize=80 -XX:InlineSmallCode=800 -XX:-DoEscapeAnalysis -XX:-UseSuperWord -XX:LoopUnrollLimit=0 \
    -cp "e2e-tests/target/test-classes:$(cat "$classpath")" io.tidemark.simulation.Simulate "$@"
