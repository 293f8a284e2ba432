#!/usr/bin/env bash
# Lines of production that the simulation runs, by package: dev/coverage.sh [SEEDS], 3000 by default.
# Every line is in e2e-tests/target/coverage/index.html.
#
# Left out is what no simulation can run by its nature.
left_out=(
    connector.sink.KafkaClients       # makes Kafka's own clients
    serving.freshness.HttpBarrierSource    # HTTP to the connector
    serving.freshness.WatermarkTracker     # parks and wakes threads; its states are polled instead
    serving.freshness.ConsistentReadProbe  # a thread
    serving.read.FanOut               # asks partitions in threads
    serving.watch.DispatchRunner      # threads
    store.read.ReadPool               # runs reads in threads
    store.read.ReadThreads            # makes them
    store.engine.EngineException      # a disk's errors by their texts; the sorted maps have none
    store.engine.NotCachedException   # what RocksDB's block cache lacks
)
set -euo pipefail
cd "$(dirname "$0")/.."
source dev/build-tests.sh
seeds=${1:-3000}
jacoco=0.8.14
out=$PWD/e2e-tests/target/coverage
mkdir -p "$out"
build_tests e2e-tests test-compile
for artifact in agent:$jacoco:jar:runtime cli:$jacoco:jar:nodeps; do
    mvn -B -q -ntp -N dependency:copy -Dartifact="org.jacoco:org.jacoco.$artifact" \
        -DoutputDirectory="$out"
done

rm -f "$out/simulation.exec"
"${java[@]}" --add-exports=java.base/jdk.internal.vm=ALL-UNNAMED \
    -javaagent:"$out/org.jacoco.agent-$jacoco-runtime.jar=destfile=$out/simulation.exec,includes=io.tidemark.*" \
    -cp "$classpath" io.tidemark.simulation.Simulate --from 1 --seeds "$seeds" --minutes 60 > "$out/simulation.log"

classes=()
while read -r folder; do
    [[ ! -d $folder ]] || classes+=(--classfiles "$folder")
done < <(tr ':' '\n' <<< "$classpath" | grep '/target/classes$')
"${java[@]}" -jar "$out/org.jacoco.cli-$jacoco-nodeps.jar" report "$out/simulation.exec" \
    "${classes[@]}" --csv "$out/coverage.csv" --html "$out" --quiet

awk -F, -v left_out="${left_out[*]}" '
    BEGIN {
        count = split(left_out, named, " ")
        for (i = 1; i <= count; i++) {
            skipped["io.tidemark." named[i]] = 1
        }
    }
    NR > 1 {
        split($3, outer, ".")
        if (($2 "." outer[1]) in skipped) {
            next
        }
        lines[$2] += $8 + $9
        run[$2] += $9
        split($3, name, ".")
        if ($9 > 0 && !(($2, name[1]) in seen)) {
            seen[$2, name[1]] = 1
            names[$2] = names[$2] " " name[1]
        }
    }
    END {
        for (package in run) {
            if (run[package] > 0) {
                printf "%-32s %5.1f %% of %4d lines:%s\n", package,
                    100 * run[package] / lines[package], lines[package], names[package]
            }
        }
    }' "$out/coverage.csv" | sort
