package io.tidemark.connector.feed;

import io.tidemark.etcd.KeyValue;
import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compares a list of etcd with the keys in the topic, across a gap of unknown changes: finds the
 * keys that the topic lacks, and whether this is the mirrored history at all. Every key that etcd
 * has not changed since the mirror's last mark must be in the topic unchanged.
 */
public final class GapDiff {
    private final KeyTable held;
    private final long markedRevision;
    private long verifiedRevision;
    private Optional<Contradiction> contradiction = Optional.empty();

    /**
     * @param markedRevision through which the topic is complete
     */
    public GapDiff(KeyTable held, long markedRevision) {
        this.held = held;
        this.markedRevision = markedRevision;
    }

    /**
     * The listed keys whose version the topic lacks, in the given order.
     *
     * @param keyValues mirrored keys; over all calls, each key once
     */
    public List<KeyValue> missing(List<KeyValue> keyValues) {
        List<KeyValue> missing = new ArrayList<>();
        for (KeyValue now : keyValues) {
            int entry = held.find(now.key());
            if (entry >= 0) {
                held.listed(entry);
            }
            compare(now, entry);
            if (entry < 0 || held.revision(entry) != now.modRevision()) {
                missing.add(now);
            }
        }
        return missing;
    }

    private void compare(KeyValue now, int entry) {
        long revision = entry < 0 ? 0 : held.revision(entry);
        long created = entry < 0 ? 0 : held.createRevision(entry);
        long version = entry < 0 ? 0 : held.version(entry);
        boolean sameLife = revision > 0 && created == now.createRevision();
        boolean same = revision == now.modRevision() && sameLife && version == now.version();
        boolean changedSince =
                now.modRevision() > markedRevision
                        && (sameLife
                                ? now.version() > version
                                : now.createRevision() > markedRevision);
        long uncommitted = entry < 0 ? 0 : held.uncommitted(entry);
        if ((!same && !changedSince) || uncommitted > now.modRevision()) {
            contradict(now, Math.max(revision, uncommitted));
        } else if (sameLife) {
            verifiedRevision = Math.max(verifiedRevision, same ? revision : created);
        }
    }

    private void contradict(KeyValue now, long revision) {
        if (contradiction.isEmpty()) {
            String why =
                    "etcd holds a key in version %d of revision %d, created at %d; in the mirror,"
                                    .formatted(
                                            now.version(), now.modRevision(), now.createRevision())
                            + " complete through %d, it is of revision %d"
                                    .formatted(markedRevision, revision);
            contradiction = Optional.of(new Contradiction(now.key(), why));
        }
    }

    /**
     * What shows that this etcd has another history than the mirrored one.
     *
     * @param key for the log only
     * @param why without the key: any client of the connector reads it
     */
    public record Contradiction(Bytes key, String why) {}

    /** The first one; empty when there is none. */
    public Optional<Contradiction> contradiction() {
        return contradiction;
    }

    /**
     * Through this revision the histories are proven equal; 0 without proof. Valid after the last
     * page.
     */
    public long verifiedRevision() {
        return verifiedRevision;
    }

    /** Visits the keys that some reader of the topic may hold and the list lacks. */
    public <E extends Exception> void eachDeleted(KeyTable.Visitor<E> visitor) throws E {
        held.eachNotListed(visitor);
    }
}
