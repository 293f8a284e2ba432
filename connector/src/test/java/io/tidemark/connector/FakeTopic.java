package io.tidemark.connector;

import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.sink.ChangeSink;
import io.tidemark.connector.sink.SinkException;
import io.tidemark.connector.value.MirrorEntry;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** An in-memory topic of one partition, with transactions, fencing, and injected failures. */
final class FakeTopic {
    private final List<Change> committed = new ArrayList<>();
    private final List<Long> commits = new ArrayList<>();
    private final List<Change> aborted = new ArrayList<>();
    private long highestEpoch;
    private @Nullable Writer owner;
    private @Nullable SplittableRandom failures;
    private boolean failsCommits;

    /** From now on, one in 40 writes and commits fails; null for none. */
    synchronized void failing(@Nullable SplittableRandom random) {
        failures = random;
    }

    /** From now on writes are accepted, but their commits fail. */
    synchronized void failsCommits() {
        failsCommits = true;
    }

    synchronized List<Change> committed() {
        return List.copyOf(committed);
    }

    /** The last revision of each committed transaction. */
    synchronized List<Change> aborted() {
        return List.copyOf(aborted);
    }

    synchronized List<Long> commits() {
        return List.copyOf(commits);
    }

    ChangeSink writer() {
        return new Writer();
    }

    private ResumePoint resume() {
        Change.TideMark last = null;
        for (Change change : committed) {
            if (change instanceof Change.TideMark mark) {
                last = mark;
            }
        }
        List<Change.@Nullable TideMark> marks = new ArrayList<>();
        marks.add(last);
        return ResumePoint.of(marks, highestEpoch, "");
    }

    private Set<Bytes> live() {
        Set<Bytes> live = new HashSet<>();
        for (Change change : committed) {
            switch (change) {
                case Change.Put put -> live.add(put.key());
                case Change.Delete delete -> live.remove(delete.key());
                case Change.TideMark _ -> {}
            }
        }
        for (Change change : aborted) {
            if (change instanceof Change.Put put) {
                live.add(put.key());
            }
        }
        return live;
    }

    private final class Writer implements ChangeSink {
        private final List<Change> transaction = new ArrayList<>();

        @Override
        public Opened open() throws SinkException {
            synchronized (FakeTopic.this) {
                if (owner != null) {
                    owner.drop();
                }
                owner = this;
                HistoryFingerprint fingerprint = new HistoryFingerprint();
                committed.forEach(fingerprint::observe);
                aborted.stream()
                        .filter(change -> change.epoch() == highestEpoch)
                        .forEach(change -> fingerprint.observe(change.revision()));
                return new Opened(resume(), 1 << 20, fingerprint);
            }
        }

        private void drop() {
            aborted.addAll(transaction);
            transaction.clear();
        }

        @Override
        public Set<Bytes> loadKeys() {
            synchronized (FakeTopic.this) {
                return live();
            }
        }

        @Override
        public KeyTable loadKeyVersions() {
            synchronized (FakeTopic.this) {
                KeyTable held = new KeyTable();
                for (Change change : committed) {
                    switch (change) {
                        case Change.Put put ->
                                held.put(
                                        put.key(),
                                        put.revision(),
                                        put.createRevision(),
                                        put.version());
                        case Change.Delete delete -> held.delete(delete.key());
                        case Change.TideMark _ -> {}
                    }
                }
                for (Change change : aborted) {
                    boolean tail =
                            committed.isEmpty()
                                    || change.revision() > committed.getLast().revision();
                    if (tail && change.epoch() == highestEpoch) {
                        switch (change) {
                            case Change.Put put -> held.putUncommitted(put.key(), put.revision());
                            case Change.Delete delete ->
                                    held.putUncommitted(delete.key(), delete.revision());
                            case Change.TideMark _ -> {}
                        }
                    }
                }
                return held;
            }
        }

        @Override
        public Duration history() {
            return Duration.ofHours(6);
        }

        private void check() throws SinkException {
            if (owner != this) {
                throw new SinkException.Fenced("another", new IllegalStateException());
            }
            if (failures != null && failures.nextInt(40) == 0) {
                drop();
                throw new SinkException.Lost("failed", new IllegalStateException());
            }
        }

        @Override
        public void write(List<MirrorEntry> changes) throws SinkException {
            synchronized (FakeTopic.this) {
                for (MirrorEntry mirrored : changes) {
                    check();
                    if (mirrored.change() != null) {
                        append(mirrored.change());
                    }
                }
            }
        }

        @Override
        public void mark(Change.TideMark mark) throws SinkException {
            synchronized (FakeTopic.this) {
                check();
                append(mark);
            }
        }

        private void append(Change change) {
            highestEpoch = Math.max(highestEpoch, change.epoch());
            transaction.add(change);
        }

        @Override
        public void commit() throws SinkException {
            synchronized (FakeTopic.this) {
                check();
                if (failsCommits) {
                    drop();
                    throw new SinkException.Lost("a record is too large");
                }
                committed.addAll(transaction);
                if (!transaction.isEmpty()) {
                    commits.add(transaction.getLast().revision());
                }
                transaction.clear();
            }
        }

        @Override
        public void beginTransaction() throws SinkException {
            synchronized (FakeTopic.this) {
                check();
                if (!committed.isEmpty()
                        && committed.getLast() instanceof Change.TideMark mark
                        && mark.kind() == Change.TideMark.Kind.PROGRESS) {
                    append(mark);
                }
            }
        }

        @Override
        public void abort() {
            synchronized (FakeTopic.this) {
                drop();
            }
        }

        @Override
        public void close() {
            abort();
        }
    }
}
