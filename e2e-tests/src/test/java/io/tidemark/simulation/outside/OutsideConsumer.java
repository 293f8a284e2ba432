package io.tidemark.simulation.outside;

import io.tidemark.record.Change;
import io.tidemark.simulation.kafka.FakePartition;
import io.tidemark.simulation.kafka.FakeTopic;
import io.tidemark.simulation.kafka.LogRecord;
import io.tidemark.simulation.model.EpochHistory;
import io.tidemark.simulation.promise.TopicGuarantees;
import io.tidemark.simulation.promise.Violation;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.SecretMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * A consumer that reads every partition from its beginning, committed records only, and checks what
 * the topic's format promises. It pauses for less than the topic keeps tombstones.
 */
public final class OutsideConsumer {
    private static final int MAX_POLL = 200;
    private static final long USUAL_PAUSE_MILLIS = 700;
    private static final long LONG_PAUSE_MILLIS = 4_000;

    private final Scheduler scheduler;
    private final Consumer<Violation> violations;
    private final List<Reader> readers = new ArrayList<>();

    /**
     * @param secrets whether the topic holds them
     * @param histories of the mirror's epochs
     */
    public OutsideConsumer(
            Scheduler scheduler,
            FakeTopic topic,
            SecretMode secrets,
            LongFunction<Optional<EpochHistory>> histories,
            Consumer<Violation> violations) {
        this.scheduler = scheduler;
        this.violations = violations;
        int partitions = topic.partitions().size();
        for (int p = 0; p < partitions; p++) {
            readers.add(
                    new Reader(
                            topic.partitions().get(p),
                            new TopicGuarantees(p, partitions, histories, secrets.sealer())));
        }
    }

    public void start() {
        long pause = scheduler.oneIn(10) ? LONG_PAUSE_MILLIS : USUAL_PAUSE_MILLIS;
        var unused =
                scheduler.after(
                        scheduler.between(100, pause),
                        "outside",
                        () -> {
                            poll();
                            start();
                        });
    }

    /** Reads every partition to its end. */
    public void poll() {
        readers.forEach(Reader::poll);
    }

    private final class Reader {
        private final FakePartition partition;
        private final TopicGuarantees guarantees;
        private long position;

        Reader(FakePartition partition, TopicGuarantees guarantees) {
            this.partition = partition;
            this.guarantees = guarantees;
        }

        void poll() {
            List<LogRecord> records;
            do {
                records = partition.read(position, MAX_POLL, true);
                for (LogRecord record : records) {
                    guarantees.mayMissSuperseded(position < partition.cleanedOffset());
                    position = record.offset() + 1;
                    record.change().ifPresent(this::take);
                }
            } while (records.size() == MAX_POLL);
            if (position < partition.lastStableOffset()) {
                position = partition.lastStableOffset();
                scheduler.count(CoverageEvent.OUTSIDE_CAUGHT_UP);
                guarantees.endOfCommitted().ifPresent(violations);
            }
        }

        private void take(Change change) {
            scheduler.count(CoverageEvent.OUTSIDE_RECORDS);
            if (change instanceof Change.TideMark) {
                scheduler.count(CoverageEvent.OUTSIDE_MARKS);
            }
            guarantees.take(change).ifPresent(violations);
        }
    }
}
