#!/usr/bin/env bash
# Runs any number of seeds of the simulation: dev/simulate.sh --help
set -euo pipefail
cd "$(dirname "$0")/.."
source dev/build-tests.sh
build_tests e2e-tests test-compile
# Seeds are short and leave nothing behind: throughput counts, pauses do not. A third of the CPU of 10,000 seeds was the
# compilers': with smaller methods and fewer optimizations they took 91 s instead of 106. Once all is compiled, seeds take a
# tenth longer.
exec "${java[@]}" --add-exports=java.base/jdk.internal.vm=ALL-UNNAMED \
    -XX:+UseParallelGC -Xms1g -Xmx1g -Xmn600m -XX:+UseCompactObjectHeaders \
    -XX:+UseTransparentHugePages \
    -XX:FreqInlineSize=80 -XX:InlineSmallCode=800 -XX:-DoEscapeAnalysis -XX:-UseSuperWord -XX:LoopUnrollLimit=0 \
    -cp "$classpath" io.tidemark.simulation.Simulate "$@"
