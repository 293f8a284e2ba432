package io.tidemark.chaos;

import io.tidemark.chaos.fault.ClusterProbe;
import io.tidemark.chaos.fault.FaultKind;
import io.tidemark.chaos.process.Cluster;
import io.tidemark.chaos.process.ManagedProcess;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.harness.LogSegment;
import io.tidemark.harness.LogSegment.Batch;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A byte of the topic changes on the broker's disk while the broker is down, in the newest segment
 * of a partition that is closed and was flushed (at its start a broker itself truncates unflushed
 * ones). Nodes have read that segment long ago; so the fault kills one that has the partition, and
 * its replacement reads everything again, before the cleaner may touch the segment.
 *
 * @param compactionLag how long the topic's cleaner leaves a record alone
 */
record CorruptTopicFault(Cluster cluster, Duration compactionLag, SplittableRandom random)
        implements NewEpochFault.Cause {
    private static final Duration READY = Duration.ofMinutes(3);

    /** A broker records once a minute what it has flushed. */
    private static final Duration FLUSHED = Duration.ofMinutes(3);

    /** The rest of the cleaner's lag is for the broker to restart, and for a node to read. */
    private static final int YOUNG = 3;

    @Override
    public FaultKind kind() {
        return FaultKind.FLIP_TOPIC;
    }

    @Override
    public String happens() throws Exception {
        ManagedProcess broker = cluster.brokers().getFirst();
        long end = System.nanoTime() + FLUSHED.toNanos();
        Path logs = broker.data().resolve("kafka");
        List<LogSegment> segments = youngAndFlushed(logs);
        while (segments.isEmpty()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        "the broker has flushed no recent segment for %s".formatted(FLUSHED));
            }
            TimeUnit.SECONDS.sleep(1);
            segments = youngAndFlushed(logs);
        }
        broker.kill();
        LogSegment segment = segments.get(random.nextInt(segments.size()));
        List<Batch> batches = segment.batches().stream().filter(batch -> !batch.control()).toList();
        Batch batch = batches.get(random.nextInt(batches.size()));
        segment.flip(batch);
        broker.start();
        broker.awaitReady(READY);
        String partition = segment.file().getParent().getFileName().toString();
        int number = Integer.parseInt(partition.substring(partition.lastIndexOf('-') + 1));
        Cluster.Member node = new ClusterProbe(cluster).holder(number);
        node.process().kill();
        node.process().wipe();
        node.process().start();
        return "flipped a byte of %s at offset %d, emptied %s"
                .formatted(partition, batch.firstOffset(), node);
    }

    private List<LogSegment> youngAndFlushed(Path logs) throws IOException {
        Instant oldest = Instant.now().minus(compactionLag.dividedBy(YOUNG));
        List<LogSegment> young = new ArrayList<>();
        try {
            for (LogSegment segment : flushed(logs)) {
                if (Files.getLastModifiedTime(segment.file()).toInstant().isAfter(oldest)) {
                    young.add(segment);
                }
            }
        } catch (NoSuchFileException | FileNotFoundException _) {
            return List.of(); // The cleaner was there first; they are looked for again.
        }
        return young;
    }

    /** The newest segment of each partition that is wholly below the flushed offset. */
    private static List<LogSegment> flushed(Path logs) throws IOException {
        List<LogSegment> found = new ArrayList<>();
        Path checkpoint = logs.resolve("recovery-point-offset-checkpoint");
        if (!Files.exists(checkpoint)) {
            return found;
        }
        for (String line : Files.readAllLines(checkpoint)) {
            String[] words = line.split(" ", -1);
            if (words.length == 3 && words[0].equals(TopicSettings.DEFAULT.name())) {
                Path partition = logs.resolve(words[0] + "-" + words[1]);
                newest(partition, Long.parseLong(words[2])).forEach(found::add);
            }
        }
        return found;
    }

    /** One at most. */
    private static Stream<LogSegment> newest(Path partition, long recoveryPoint)
            throws IOException {
        try (Stream<Path> files = Files.list(partition)) {
            List<Path> logs =
                    files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
            for (int i = logs.size() - 2; i >= 0; i--) {
                LogSegment segment = new LogSegment(logs.get(i));
                boolean flushed = begin(logs.get(i + 1)) <= recoveryPoint;
                if (flushed && segment.batches().stream().anyMatch(each -> !each.control())) {
                    return Stream.of(segment);
                }
            }
            return Stream.empty();
        }
    }

    private static long begin(Path log) {
        String name = log.getFileName().toString();
        return Long.parseLong(name.substring(0, name.indexOf('.')));
    }
}
