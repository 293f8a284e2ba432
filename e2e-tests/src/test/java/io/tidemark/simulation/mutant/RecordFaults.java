package io.tidemark.simulation.mutant;

import io.tidemark.record.ChangeCodec;
import io.tidemark.record.TopicRecord;
import io.tidemark.record.TopicRecord.Header;
import io.tidemark.simulation.kafka.LogRecord;
import java.util.List;

/** Mutants of the topic's records. */
final class RecordFaults {
    private RecordFaults() {}

    /** The record; a progress mark claims some revisions more. */
    static LogRecord withMarkAhead(LogRecord record, long revisions) {
        return isMark(record, "progress")
                ? with(
                        record,
                        ChangeCodec.MOD_REVISION,
                        number(record, ChangeCodec.MOD_REVISION) + revisions)
                : record;
    }

    /** The record with another epoch. */
    static LogRecord ofEpoch(LogRecord record, long epoch) {
        return with(record, ChangeCodec.EPOCH, epoch);
    }

    static long epoch(LogRecord record) {
        return number(record, ChangeCodec.EPOCH);
    }

    static boolean isMark(LogRecord record) {
        return record.content().headers().stream()
                .anyMatch(header -> header.name().equals(ChangeCodec.MARK));
    }

    static boolean isMark(LogRecord record, String kind) {
        return record.content().headers().stream()
                .anyMatch(header ->
                        header.name().equals(ChangeCodec.MARK) && header.value().equals(kind));
    }

    private static long number(LogRecord record, String name) {
        return record.content().headers().stream()
                .filter(header -> header.name().equals(name))
                .mapToLong(header -> Long.parseLong(header.value()))
                .findFirst()
                .orElse(0);
    }

    private static LogRecord with(LogRecord record, String name, long value) {
        List<Header> headers =
                record.content().headers().stream()
                        .map(header ->
                                header.name().equals(name)
                                        ? new Header(name, Long.toString(value))
                                        : header)
                        .toList();
        return record.with(
                new TopicRecord(record.content().key(), record.content().value(), headers));
    }
}
