package io.tidemark.connector.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.tidemark.connector.check.EtcdDigests;
import io.tidemark.connector.value.UnreadableReason;
import io.tidemark.connector.value.ValueDecoder;
import io.tidemark.digest.DirectoryGroups;
import io.tidemark.record.Bytes;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The connector's meters. Thread-safe. */
public final class ConnectorMetrics {
    /** Series of keys by directory; the smaller ones of an etcd with more are not shown. */
    private static final int MOST_DIRECTORIES = 200;

    private final MeterRegistry registry;
    private final Counter changes;
    private final Counter bytes;
    private final Counter batches;
    private final Counter marks;
    private final Counter committed;
    private final Counter aborted;
    private final Counter restarts;
    private final Map<UnreadableReason, Counter> deadLetters =
            new EnumMap<>(UnreadableReason.class);
    private final Timer barriers;
    private final Counter failedBarriers;
    private final Counter corruptRange;
    private final Counter gapKeysWritten;
    private final Counter gapKeysDeleted;
    private final Timer gapTime;
    private final AtomicReference<GapReport> gaps = new AtomicReference<>(GapReport.NONE);

    /** Of the newest term; empty ones while this connector does not lead. */
    private volatile TermGauges term = new TermGauges();

    private final MultiGauge etcdKeys;

    /** Counts the keys; null without a self-check. */
    private volatile @Nullable EtcdDigests counted;

    public ConnectorMetrics(MeterRegistry registry) {
        this.registry = registry;
        etcdKeys =
                MultiGauge.builder("tidemark.connector.etcd.keys")
                        .description("Keys in etcd, by directory")
                        .register(registry);
        changes = counter(registry, "changes", "Changes written to the mirror topic");
        bytes = counter(registry, "bytes", "Bytes of keys and values written to the mirror topic");
        batches = counter(registry, "batches", "Batches of changes written");
        marks = counter(registry, "tide_marks", "Tide marks written, one per partition");
        committed = counter(registry, "transactions_committed", "Kafka transactions committed");
        aborted = counter(registry, "transactions_aborted", "Kafka transactions aborted");
        restarts = counter(registry, "faults", "Times that etcd or Kafka was lost");
        for (UnreadableReason reason : UnreadableReason.values()) {
            deadLetters.put(
                    reason,
                    Counter.builder("tidemark.connector.dead_letters")
                            .description("Values that could not be mirrored as they should be")
                            .tag("reason", reason.label())
                            .register(registry));
        }
        barriers =
                Timer.builder("tidemark.connector.barrier")
                        .description("Time from a barrier's request to its answer")
                        .publishPercentiles(0.5, 0.99)
                        .register(registry);
        failedBarriers = counter(registry, "barriers_failed", "Barriers that were refused");
        corruptRange =
                counter(
                        registry,
                        "topic_damages",
                        "Corrupt ranges of the topics that were skipped, counted at each read");
        gapKeysWritten = counter(registry, "gap_keys_written", "Keys written to reconcile gaps");
        gapKeysDeleted = counter(registry, "gap_keys_deleted", "Keys deleted to reconcile gaps");
        gapTime =
                Timer.builder("tidemark.connector.gap")
                        .description("Time to reconcile a gap, from the comparison to the commit")
                        .register(registry);
        AtomicReference<GapReport> _ =
                registry.gauge(
                        "tidemark.connector.gap_floor", gaps, report -> report.get().lastFloor());
        gauge("epoch", TermGauges::epoch);
        gauge("revision", TermGauges::markedRevision);
        gauge("etcd_revision", TermGauges::etcdRevision);
        gauge("unreadable_keys", TermGauges::unreadableKeys);
        gauge("lag_revisions", TermGauges::lagRevisions);
        Gauge.builder("tidemark.connector.mark.age.seconds", this, ConnectorMetrics::markAgeSeconds)
                .description("Time since this leader wrote a mark; NaN before, and on a standby")
                .register(registry);
    }

    private void gauge(String name, ToDoubleFunction<TermGauges> value) {
        Gauge.builder("tidemark.connector." + name, this, each -> value.applyAsDouble(each.term))
                .register(registry);
    }

    /**
     * The gauges of the term that runs or comes next. What belongs to a term looks them up at its
     * begin and keeps them, so that it cannot write to those of a later term.
     */
    public TermGauges term() {
        return term;
    }

    /**
     * Resets the gauges: this connector leads no more. Otherwise alerts would see the epoch, the
     * lag and the unreadable keys of its last mark until it leads again or ends.
     */
    public void endTerm() {
        term = new TermGauges();
    }

    /** Registers the number of fields that a decoder has left out. */
    public void show(ValueDecoder decoder) {
        FunctionCounter _ =
                FunctionCounter.builder(
                                "tidemark.connector.unknown_fields",
                                decoder,
                                ValueDecoder::unknownFields)
                        .description("Fields that no schema table knows, left out of objects")
                        .register(registry);
    }

    /** Registers meters of the digests for self-checks. */
    public void show(EtcdDigests digests) {
        counted = digests;
        gauge("revision", "Newest etcd revision with a digest", digests, s -> s.revision());
        gauge(
                "interval.seconds",
                "Interval between two scans of etcd's keys",
                digests,
                s -> s.interval().toMillis() / 1000.0);
        gauge(
                "cost.seconds",
                "How long the last scan kept etcd busy",
                digests,
                s -> s.cost().toNanos() / 1e9);
    }

    /**
     * Updates the gauges whose labels are not known before; to be called before each scrape. Only
     * directories of Kubernetes resources are named: metrics need no login here, and names of other
     * directories are their users'.
     */
    public void refresh() {
        EtcdDigests digests = counted;
        if (digests == null) {
            return;
        }
        etcdKeys.register(
                digests.keyCounts().entrySet().stream()
                        .filter(each -> DirectoryGroups.isResource(each.getKey()))
                        .sorted(Map.Entry.<Bytes, Long>comparingByValue().reversed())
                        .limit(MOST_DIRECTORIES)
                        .<MultiGauge.Row<?>>map(each ->
                                MultiGauge.Row.of(
                                        Tags.of("resource", each.getKey().utf8()), each.getValue()))
                        .toList(),
                true);
    }

    private void gauge(
            String name,
            String description,
            EtcdDigests digests,
            ToDoubleFunction<EtcdDigests.DigestStatus> value) {
        Gauge.builder(
                        "tidemark.connector.selfcheck." + name,
                        digests,
                        each -> value.applyAsDouble(each.standing()))
                .description(description)
                .register(registry);
    }

    private static Counter counter(MeterRegistry registry, String name, String description) {
        return Counter.builder("tidemark.connector." + name)
                .description(description)
                .register(registry);
    }

    public void wroteBatch(int count, long size) {
        changes.increment(count);
        bytes.increment(size);
        batches.increment();
    }

    public void wroteMark(int partitions) {
        marks.increment(partitions);
    }

    public void committed() {
        committed.increment();
    }

    /** A corrupt range of a topic was skipped. */
    public void corruptRange() {
        corruptRange.increment();
    }

    public void aborted() {
        aborted.increment();
    }

    public void fault() {
        restarts.increment();
    }

    public void deadLetter(UnreadableReason reason) {
        Counter counter = deadLetters.get(reason);
        if (counter != null) {
            counter.increment();
        }
    }

    /**
     * Time since the newest mark; NaN before the first, and while this connector does not lead.
     * Grows while etcd sends no progress.
     */
    public double markAgeSeconds() {
        return term.markAgeSeconds();
    }

    /** Counts a reconciled gap; returns the totals. */
    public GapReport gapReconciled(
            long fromRevision, long floor, long written, long deleted, long nanos) {
        gapKeysWritten.increment(written);
        gapKeysDeleted.increment(deleted);
        gapTime.record(Duration.ofNanos(nanos));
        long millis = Duration.ofNanos(nanos).toMillis();
        return gaps.updateAndGet(before ->
                new GapReport(before.count() + 1, fromRevision, floor, written, deleted, millis));
    }

    public GapReport gaps() {
        return gaps.get();
    }

    public void barrier(Duration took) {
        barriers.record(took);
    }

    public void barrierFailed() {
        failedBarriers.increment();
    }

    public long changes() {
        return (long) changes.count();
    }

    public long deadLetters() {
        return (long) deadLetters.values().stream().mapToDouble(Counter::count).sum();
    }
}
