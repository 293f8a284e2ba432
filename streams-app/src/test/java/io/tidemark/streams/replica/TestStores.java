package io.tidemark.streams.replica;

import io.tidemark.record.Change.TideMark;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.TopicRecord;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadThreads;
import io.tidemark.store.rocksdb.RocksMemory;
import io.tidemark.streams.group.GroupCommits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** What stores share, without a topic that could be read again, and records for them. */
final class TestStores {
    static final Duration DELETES_KEPT = Duration.ofHours(24);

    private TestStores() {}

    static StoreContext context(StateFolders folders, RocksMemory memory, InstantSource clock) {
        SkippedRanges passed = new SkippedRanges();
        return new StoreContext(
                new OpenPartitions(),
                new StoreCloser(),
                new StartupStores(),
                StoreSettings.DEFAULT,
                "topic-id",
                DELETES_KEPT,
                memory,
                ReadThreads.start(),
                clock,
                new TopicReader("mirror", Map.of(), passed),
                passed,
                new ReadAhead(),
                new GroupCommits(),
                new DiskSpace(folders));
    }

    /** A mark of revision 10 that was written now. */
    static DeliveredRecord mark(InstantSource clock, long epoch, Kind kind, long offset) {
        long time = clock.millis();
        TopicRecord encoded = ChangeCodec.encode(new TideMark(epoch, 10, kind, 1, "", "", time));
        RecordHeaders headers = new RecordHeaders();
        encoded.headers()
                .forEach(each ->
                        headers.add(each.name(), each.value().getBytes(StandardCharsets.UTF_8)));
        byte[] value = encoded.value() == null ? null : encoded.value().array();
        return new DeliveredRecord(encoded.key().array(), value, headers, offset, time);
    }
}
