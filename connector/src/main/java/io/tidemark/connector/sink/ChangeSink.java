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
 * Writes changes to the mirror topic. Single-threaded. Writes are in order; writes after a commit
 * belong to a new transaction, begun by the first write at the latest. After a {@link
 * SinkException} the sink must be closed before it is opened again.
 */
public interface ChangeSink extends AutoCloseable {
    /** Checks the topic, fences former writers and finds where they stopped. */
    Opened open() throws SinkException;

    /**
     * Keys that have a value in the topic for at least some reader: aborted writes count.
     *
     * @throws SinkException.Lost also while a transaction is open
     */
    Set<Bytes> loadKeys() throws SinkException;

    /**
     * Keys, with versions, that some reader of the topic may hold. Takes memory for every key, and
     * reads the whole topic.
     *
     * @throws SinkException.Lost also while a transaction is open
     */
    KeyTable loadKeyVersions() throws SinkException;

    /** For how long the topic keeps every record. */
    Duration history();

    /** Writes changes and dead letters; blocks while too much is in flight. */
    void write(List<MirrorEntry> changes) throws SinkException;

    /** Writes a mark to every partition. */
    void mark(Change.TideMark mark) throws SinkException;

    /** Commits the transaction, if there is one, and waits for it. */
    void commit() throws SinkException;

    /**
     * Begins the next transaction before there is anything to write, by writing the last mark again
     * to every partition, and waits for the acknowledgement. Does nothing when that mark was not a
     * progress mark.
     */
    void beginTransaction() throws SinkException;

    /** Aborts the transaction, if there is one. */
    void abort() throws SinkException;

    /** Releases the topic; uncommitted writes will be aborted. Bounded in time. */
    @Override
    void close();

    /**
     * @param maxRecordBytes most bytes that a record may have
     * @param fingerprint of the end of the topic, aborted writes included
     */
    record Opened(ResumePoint resume, int maxRecordBytes, HistoryFingerprint fingerprint) {}
}
