package io.tidemark.record;

import java.util.Objects;

/**
 * The content of one record of the mirror topic, the Kafka topic that repeats etcd's changes. A put
 * or a delete mirrors an etcd event: one key, changed at one revision. A tide mark is the mirror's
 * control record: all changes through its revision are written before it, in this partition.
 *
 * <p>A key's directory determines its partition, so changes of one revision may be in several
 * partitions. They are written in the order of (revision, index), except for lists, and some are
 * written again after a restart: readers drop what they have.
 */
public sealed interface Change {
    /**
     * First {@code index} of changes that reconcile a gap. Such a change was found by comparing a
     * list with the topic, after etcd had compacted the revisions in between: a key's newest put,
     * at its true revision; or a delete of a stale key, at the list's revision, since its own is
     * unknown. They come in key order, and end with a mark of kind {@link TideMark.Kind#GAP} or
     * {@link TideMark.Kind#BRIDGE}. etcd's own changes never come near this index.
     */
    int GAP_INDEX = 1 << 30;

    /**
     * The unbroken revision history this belongs to; counts from 1, never decreases. A new one
     * begins with a full list, such as after etcd was restored from a backup.
     */
    long epoch();

    /** etcd's revision (mod_revision for a put or a delete), at least 0. */
    long revision();

    /**
     * A key got a value.
     *
     * @param index position among the changes of this revision under the mirrored prefix, from 0;
     *     unique together with the revision, and the same whenever this change is written again.
     *     Not so in the list that begins an epoch: its puts have 0, its deletes count from 0
     * @param createRevision revision at which the key was last created
     * @param version number of puts since then, from 1
     * @param lease etcd's lease id, 0 for none
     * @param listed whether it comes from a list, in key order and with old revisions: it changes
     *     state without adding history (except for a gap's, see {@link #GAP_INDEX})
     * @param unreadable why the value of a Kubernetes resource's key could not be decoded to an
     *     object; empty when it was. The value is then {@link ContentType#RAW}.
     */
    record Put(
            long epoch,
            long revision,
            int index,
            Bytes key,
            Bytes value,
            ContentType contentType,
            long createRevision,
            long version,
            long lease,
            boolean listed,
            String unreadable)
            implements Change {
        /**
         * Marks the empty value of a Kubernetes Secret, in a mirror without Secrets: the key is
         * kept, so that its older values are replaced and comparisons of keys agree.
         */
        public static final String WITHHELD = "withheld: a Secret";

        /**
         * Before the id of the key: the value is a Secret, encrypted, see {@link
         * io.tidemark.record.secret.PutSealer}.
         */
        public static final String ENCRYPTED = "encrypted: a Secret, key ";

        /** How a store's reason begins for a Secret that it could not decrypt. */
        public static final String LOCKED = "encrypted with key";

        public Put {
            requirePlace(epoch, revision, index);
            Objects.requireNonNull(key);
            Objects.requireNonNull(value);
            Objects.requireNonNull(contentType);
            if (createRevision < 0 || createRevision > revision || version < 0) {
                throw new IllegalArgumentException(
                        "created at %d, version %d, but changed at %d"
                                .formatted(createRevision, version, revision));
            }
            if (!unreadable.isEmpty() && contentType != ContentType.RAW) {
                throw new IllegalArgumentException("an unreadable value is raw: " + unreadable);
            }
        }

        /** Whether the value is an encrypted Secret. */
        public boolean isEncrypted() {
            return unreadable.startsWith(ENCRYPTED);
        }

        /** The id of the key that the value is encrypted with; empty when it is not encrypted. */
        public String encryptedWith() {
            return isEncrypted() ? unreadable.substring(ENCRYPTED.length()) : "";
        }

        /** The same change with another value. */
        public Put withValue(Bytes newValue, ContentType newType, String newUnreadable) {
            return new Put(
                    epoch,
                    revision,
                    index,
                    key,
                    newValue,
                    newType,
                    createRevision,
                    version,
                    lease,
                    listed,
                    newUnreadable);
        }

        /** The same change with another index. */
        public Put withIndex(int newIndex) {
            return new Put(
                    epoch,
                    revision,
                    newIndex,
                    key,
                    value,
                    contentType,
                    createRevision,
                    version,
                    lease,
                    listed,
                    unreadable);
        }
    }

    /** A key was deleted at {@code revision}; {@code index} as in {@link Put}. */
    record Delete(long epoch, long revision, int index, Bytes key) implements Change {
        public Delete {
            requirePlace(epoch, revision, index);
            Objects.requireNonNull(key);
        }
    }

    /**
     * A control record with a watermark, written to every partition after a batch of complete
     * revisions.
     *
     * @param revision every change at or below it, in this partition, precedes this mark
     * @param clusterId etcd's cluster id, unsigned
     * @param connector address at which the connector that wrote this answers barriers, which are
     *     requests for etcd's current revision, such as {@code http://10.0.0.7:8090}; empty when it
     *     answers none
     * @param scope what of etcd is mirrored, as text: a mirror of another scope has too few or too
     *     many keys
     * @param timeMillis a time, by the connector's clock: every change that etcd had made by then
     *     is at or below {@code revision}; the same in every partition. 0 when the mark has none
     */
    record TideMark(
            long epoch,
            long revision,
            Kind kind,
            long clusterId,
            String connector,
            String scope,
            long timeMillis)
            implements Change {
        public TideMark {
            requirePlace(epoch, revision, 0);
            if (timeMillis < 0) {
                throw new IllegalArgumentException("time of a mark: " + timeMillis);
            }
            Objects.requireNonNull(kind);
            Objects.requireNonNull(connector);
            Objects.requireNonNull(scope);
        }

        /** A mark without scope and time. */
        public TideMark(long epoch, long revision, Kind kind, long clusterId, String connector) {
            this(epoch, revision, kind, clusterId, connector, "", 0);
        }

        public TideMark withScope(String newScope) {
            return new TideMark(epoch, revision, kind, clusterId, connector, newScope, timeMillis);
        }

        public TideMark withTime(long newTimeMillis) {
            return new TideMark(epoch, revision, kind, clusterId, connector, scope, newTimeMillis);
        }

        /** Why a mark was written. */
        public enum Kind {
            /**
             * A whole list follows, as of {@code revision}: it replaces everything that stores of
             * this partition hold, and nothing is visible until {@link #LIST_END}.
             */
            LIST_BEGIN,
            /**
             * The list is complete: the state at {@code revision}, which is also the floor, the
             * oldest revision that can be read.
             */
            LIST_END,
            /** Changes through {@code revision} are complete. */
            PROGRESS,
            /**
             * etcd had compacted changes before they were read. The records before this mark make
             * the state at {@code revision}, but not its full history, so this is the floor.
             */
            GAP,
            /**
             * As {@link #GAP}, but watches below this mark may receive the changes of the gap,
             * which are each key's net change.
             */
            BRIDGE
        }
    }

    private static void requirePlace(long epoch, long revision, int index) {
        if (epoch < 1 || revision < 0 || index < 0) {
            throw new IllegalArgumentException(
                    "epoch %d, revision %d, index %d".formatted(epoch, revision, index));
        }
    }
}
