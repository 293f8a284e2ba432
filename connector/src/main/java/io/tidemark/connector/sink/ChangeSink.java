package io.tidemark.connector.sink;

import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.value.MirrorEntry;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Where changes go. One thread uses it. Writes are in order; what is written after a commit belongs
 * to a new transaction, begun by the first write at the latest. After a {@link SinkException} it
 * must be closed before it is opened again.
 */
public interface ChangeSink extends AutoCloseable {
    /** Makes sure of the topic, fences off former writers and finds where they stopped. */
    Opened open() throws SinkException;

    /** Keys that have a value in the topic, for some reader at least: aborted writes count. */
    Set<Bytes> loadKeys() throws SinkException;

    /**
     * Keys that some reader of the topic may hold, and in which version. Takes memory for every
     * key, and reads the whole topic.
     */
    KeyTable loadKeyVersions() throws SinkException;

    /** For how long the topic keeps all that was written to it. */
    Duration history();

    /** Writes changes, and dead letters; waits when too much is on its way. */
    void write(List<MirrorEntry> changes) throws SinkException;

    /** Writes a mark to every partition. */
    void mark(Change.TideMark mark) throws SinkException;

    /** Ends the transaction, if there is one: all of it stands when this returns. */
    void commit() throws SinkException;

    /**
     * Begins the next transaction before there is anything to write: the last mark again, to every
     * partition, and waits until it is there. Does nothing when that mark was not one of progress.
     */
    void beginTransaction() throws SinkException;

    /** Takes the transaction back, if there is one. */
    void abort() throws SinkException;

    /** Lets go; what was not committed will be aborted. Bounded in time. */
    @Override
    void close();

    /**
     * @param maxRecordBytes most bytes that a record may have
     * @param fingerprint what the end of the topic holds, aborted writes included
     */
    record Opened(ResumePoint resume, int maxRecordBytes, HistoryFingerprint fingerprint) {}
}
