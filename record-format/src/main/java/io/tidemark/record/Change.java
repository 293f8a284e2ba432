package io.tidemark.record;

import java.util.Objects;

/**
 * What one record of the mirror topic says. A put or a delete is a fact of etcd: one key, changed
 * at one revision. A tide mark is a fact of the mirror: all changes through its revision have been
 * written before it, in this partition.
 */
public sealed interface Change {
    /**
     * From this {@code index} on, a change was found by comparing a list with the topic, after etcd
     * had compacted what came in between: the newest of its key, at its true revision; or a delete
     * of a key that is gone, at the revision of the list, as nobody knows its own. Such changes
     * come in the order of keys, and end with a mark of their own: {@link TideMark.Kind#GAP}.
     * etcd's own changes never come near this index.
     */
    int GAP_INDEX = 1 << 30;

    /** The unbroken revision history this belongs to; counts from 1, and only rises. */
    long epoch();

    /** etcd's revision (mod_revision for a put or a delete), at least 0. */
    long revision();

    /**
     * A key got a value.
     *
     * @param index place among the changes of this revision under the mirrored prefix, from 0; with
     *     the revision it is unique, and it is the same whenever this change is written again
     * @param createRevision revision at which the key was last created
     * @param version number of puts since then, from 1
     * @param lease etcd's lease id, 0 for none
     * @param listed true when it comes from a list, in key order and with old revisions: it changes
     *     state but makes no history (but for that of a gap: see {@link #GAP_INDEX})
     * @param unreadable why no Kubernetes object could be made of the value although its key is one
     *     of a Kubernetes resource; empty when all is well. The value is then {@link
     *     ContentType#RAW}.
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
         * Why a value is empty that is a Kubernetes Secret, in a mirror without Secrets: the key
         * keeps its place, so that its older values are replaced and all who compare keys agree.
         */
        public static final String WITHHELD = "withheld: a Secret";

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

        /** The same change at another place in its revision. */
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

    /** A key lost its value, at {@code revision}; {@code index} as in {@link Put}. */
    record Delete(long epoch, long revision, int index, Bytes key) implements Change {
        public Delete {
            requirePlace(epoch, revision, index);
            Objects.requireNonNull(key);
        }
    }

    /**
     * A control record, written to every partition after a batch of complete revisions.
     *
     * @param revision every change at or below it, in this partition, stands before this mark
     * @param clusterId etcd's cluster id, unsigned
     * @param connector where the connector that wrote this takes barriers, such as {@code
     *     http://10.0.0.7:8090}; empty when it takes none
     * @param scope what of etcd is mirrored, in the connector's words: a mirror of another scope
     *     lacks something, or holds too much
     * @param timeMillis when the connector made it, by its clock, or earlier when it knew no more
     *     than what had been true then; the same in every partition. 0 when it does not say
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

        /** A mark whose scope and time nobody asks for. */
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
             * A whole list follows, as of {@code revision}: what a store of this partition holds is
             * void from here on, and nothing is visible until {@link #LIST_END}.
             */
            LIST_BEGIN,
            /** The list is complete: the state at {@code revision}, which is the floor as well. */
            LIST_END,
            /** Changes through {@code revision} are complete. */
            PROGRESS,
            /**
             * etcd had compacted changes before anybody read them. What stands before this mark is
             * the state at {@code revision}; some of what led there is not, so this is the floor.
             */
            GAP,
            /**
             * As {@link #GAP}, but the changes of the gap, which are the net change of each key,
             * may be told to those who stand before it.
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
