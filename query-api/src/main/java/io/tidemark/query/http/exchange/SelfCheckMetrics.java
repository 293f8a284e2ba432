package io.tidemark.query.http.exchange;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.tidemark.digest.DigestTable.Slot;
import io.tidemark.selfcheck.CheckReport;
import io.tidemark.selfcheck.CheckReport.Partition;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Metrics of the self-check of this node's current replicas. */
final class SelfCheckMetrics {
    private final MeterRegistry registry;
    private final Supplier<CheckReport> check;
    private final MultiGauge ages;
    private final MultiGauge revisions;
    private final MultiGauge findings;
    private final MultiGauge suspicions;
    private final MultiGauge rebuilds;
    private final InstantSource clock;
    private final Set<Slot> counted = ConcurrentHashMap.newKeySet();

    SelfCheckMetrics(MeterRegistry registry, Supplier<CheckReport> check, InstantSource clock) {
        this.registry = registry;
        this.check = check;
        this.clock = clock;
        ages = gauge("proof.age.seconds", "Time since a replica was last proven equal to etcd");
        revisions = gauge("proof.revision", "Newest revision at which a replica was proven equal");
        findings = gauge("differs", "1 while a replica is known to differ from etcd");
        suspicions = gauge("topic.differs", "1 while a rebuilt replica still differs from etcd");
        rebuilds = gauge("rebuilds", "Replicas rebuilt since the start");
        Gauge.builder(
                        "tidemark.selfcheck.interval.seconds",
                        check,
                        r -> r.get().intervalMillis() / 1e3)
                .description("Interval of the comparison with etcd")
                .register(registry);
        Gauge.builder("tidemark.selfcheck.cost.seconds", check, r -> r.get().costMillis() / 1e3)
                .description("Processor time of the last comparison of all replicas")
                .register(registry);
    }

    private MultiGauge gauge(String name, String description) {
        return MultiGauge.builder("tidemark.selfcheck." + name)
                .description(description)
                .register(registry);
    }

    /** Updates the gauges to the newest report. */
    void update() {
        CheckReport now = check.get();
        long millis = clock.millis();
        show(
                ages,
                now,
                each ->
                        each.provenAtMillis() == 0
                                ? Double.NaN
                                : (millis - each.provenAtMillis()) / 1e3);
        show(revisions, now, Partition::provenRevision);
        show(findings, now, each -> each.good() ? 0 : 1);
        show(suspicions, now, each -> each.topicSuspected() ? 1 : 0);
        show(rebuilds, now, Partition::rebuilds);
        now.mismatches().keySet().forEach(this::count);
    }

    private void count(Slot slot) {
        if (counted.add(slot)) {
            Meter _ =
                    FunctionCounter.builder(
                                    "tidemark.selfcheck.mismatches",
                                    check,
                                    report ->
                                            Objects.requireNonNullElse(
                                                    report.get().mismatches().get(slot), 0L))
                            .description("Comparisons in which a replica differed from etcd")
                            .tags(
                                    "partition",
                                    Integer.toString(slot.partition()),
                                    "resource",
                                    slot.group().utf8())
                            .register(registry);
        }
    }

    private static void show(MultiGauge gauge, CheckReport now, ToDoubleFunction<Partition> value) {
        gauge.register(
                now.partitions().stream()
                        .<Row<?>>map(each ->
                                Row.of(
                                        Tags.of("partition", Integer.toString(each.partition())),
                                        value.applyAsDouble(each)))
                        .toList(),
                true);
    }
}
