package io.tidemark.simulation;

import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.world.LogRecord;
import io.tidemark.view.ObjectChange;
import io.tidemark.view.PartitionView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Mistakes that somebody could make, and the promise that is bound to notice each. */
enum Mutant implements Mutation {
    AN_EVENT_IS_DROPPED(Promise.RELIABLE) {
        @Override
        public List<ObjectChange> merged(List<ObjectChange> changes) {
            return changes.stream().filter(change -> change.revision() % 5 != 0).toList();
        }
    },
    AN_EVENT_IS_DELIVERED_TWICE(Promise.UNIQUE) {
        @Override
        public List<ObjectChange> merged(List<ObjectChange> changes) {
            List<ObjectChange> twice = new ArrayList<>(changes);
            if (!changes.isEmpty()) {
                twice.add(changes.getLast());
            }
            return twice;
        }
    },
    EVENTS_ARE_REORDERED_IN_THE_MERGE(Promise.ORDERED) {
        @Override
        public List<ObjectChange> merged(List<ObjectChange> changes) {
            return changes.reversed();
        }
    },
    A_PAGE_IS_CUT_INSIDE_A_REVISION(Promise.ATOMIC) {
        @Override
        public PartitionView view(PartitionView view) {
            return new MutantViews.Changes(view, MutantViews::cutInsideARevision);
        }
    },
    THE_PREVIOUS_STATE_IS_FORGOTTEN(Promise.FILTERED) {
        @Override
        public PartitionView view(PartitionView view) {
            return new MutantViews.Changes(view, MutantViews::withoutPrevious);
        }
    },
    A_BOOKMARK_COMES_EARLY(Promise.BOOKMARKABLE) {
        @Override
        public long bookmark(long throughRevision, long etcdRevision) {
            return etcdRevision;
        }
    },
    A_WATERMARK_COMES_EARLY(Promise.BOOKMARKABLE) {
        @Override
        public Optional<LogRecord> record(LogRecord record, int node, boolean restoring) {
            return Optional.of(MutantViews.withMarkAhead(record, 2));
        }
    },
    THE_FLOOR_IS_TOO_LOW(Promise.RESUMABLE) {
        @Override
        public PartitionView view(PartitionView view) {
            return new MutantViews.FloorTooLow(view);
        }
    },
    GONE_IS_SAID_TOO_EARLY(Promise.RESUMABLE) {
        @Override
        public PartitionView view(PartitionView view) {
            return new MutantViews.GoneTooEarly(view);
        }
    },
    HALF_THE_WINDOW_IS_FORGOTTEN(Promise.WINDOW) {
        @Override
        public PartitionView view(PartitionView view) {
            return new MutantViews.HalfTheWindow(view);
        }
    },
    A_DELETE_IS_LOST_ON_REBUILD(Promise.WINDOW) {
        @Override
        public Optional<LogRecord> record(LogRecord record, int node, boolean restoring) {
            boolean lost = restoring && record.content().value() == null;
            return lost ? Optional.empty() : Optional.of(record);
        }
    },
    THE_LAST_RECORDS_NEVER_ARRIVE(Promise.CONVERGENT) {
        @Override
        public Optional<LogRecord> record(LogRecord record, int node, boolean restoring) {
            boolean lost = record.offset() > 150 && record.offset() % 3 == 0;
            return lost ? Optional.empty() : Optional.of(record);
        }
    },
    A_STANDBY_ANSWERS_STALE(Promise.SNAPSHOT) {
        @Override
        public PartitionView view(PartitionView view) {
            return new MutantViews.StaleScan(view);
        }
    },
    A_BARRIER_IS_STALE(Promise.LINEARIZABLE) {
        @Override
        public OptionalLong barrier(OptionalLong revision, long newestKnown) {
            return revision.isPresent()
                    ? OptionalLong.of(Math.max(1, revision.getAsLong() - 3))
                    : revision;
        }
    },
    A_BARRIER_IS_ANSWERED_WITHOUT_ETCD(Promise.HONEST) {
        @Override
        public OptionalLong barrier(OptionalLong revision, long newestKnown) {
            return revision.isPresent() ? revision : OptionalLong.of(newestKnown);
        }
    },
    A_READ_DOES_NOT_WAIT(Promise.NOT_OLDER_THAN) {
        @Override
        public boolean waits() {
            return false;
        }
    },
    A_CLIENT_IS_LED_BACK(Promise.MONOTONIC) {
        @Override
        public boolean waits() {
            return false;
        }
    },
    A_READ_WAITS_FOREVER(Promise.BOUNDED) {
        @Override
        public long patienceMillis() {
            return 60_000;
        }
    },
    AN_ENDED_EPOCH_IS_STILL_SERVED(Promise.NO_TIME_TRAVEL) {
        @Override
        public Optional<LogRecord> record(LogRecord record, int node, boolean restoring) {
            boolean kept = node == 0 || !MutantViews.isAfterTheFirstEpoch(record);
            return kept ? Optional.of(record) : Optional.empty();
        }

        @Override
        public boolean epochsEnd() {
            return false;
        }
    };

    private final Promise noticedBy;

    Mutant(Promise noticedBy) {
        this.noticedBy = noticedBy;
    }

    Promise noticedBy() {
        return noticedBy;
    }
}
