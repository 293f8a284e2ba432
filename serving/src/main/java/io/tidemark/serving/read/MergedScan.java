package io.tidemark.serving.read;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope.Kind;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a scope in key order, merged from the pages of its partitions. Between calls it
 * holds at most one page of each partition and no store iterator, so a slow client blocks nothing.
 * Its memory is booked; a returned object stays booked until it is {@linkplain #release released}.
 */
public final class MergedScan {
    /** A single key was read. */
    public static final String BY_KEY = "key";

    /** Every key of the range was scanned. */
    public static final String SCANNED = "scan";

    /**
     * The first page of each of several partitions is this part of a full one: those whose keys
     * come last are read in any case, to learn where they begin.
     */
    private static final int FIRST_PART = 16;

    /** Approximate bytes of an object in memory besides its data. */
    private static final int OVERHEAD = 128;

    private final ClusterView view;
    private final KeyScope scope;
    private final Selection selection;
    private final ReadPoint at;
    private final PageLimits limits;
    private final Projection projection;
    private final ReadAllowance allowance;
    private final PriorityQueue<Source> sources =
            new PriorityQueue<>(Comparator.comparing(Source::headKey));
    private final Deque<Source> unread = new ArrayDeque<>();
    private String accessPath;
    private long keysScanned;

    MergedScan(
            ClusterView view,
            KeyScope scope,
            Selection selection,
            Bytes fromKeyInclusive,
            ReadPoint at,
            PageLimits limits,
            Projection projection,
            ReadAllowance allowance) {
        this.view = view;
        this.scope = scope;
        this.selection = selection;
        this.at = at;
        this.limits = limits;
        this.projection = projection;
        this.allowance = allowance;
        this.accessPath = scope.kind() == Kind.EXACT ? BY_KEY : SCANNED;
        at.partitions().numbers().forEach(p -> unread.add(new Source(p, fromKeyInclusive)));
    }

    /**
     * How keys are found: {@link #BY_KEY}, {@link #SCANNED}, or the name of an index. Known after
     * the first read.
     */
    public String accessPath() {
        return accessPath;
    }

    /** Number of keys scanned so far. */
    public long keysScanned() {
        return keysScanned;
    }

    /** The next object; null at the end. */
    public @Nullable StoredObject next() throws InterruptedException {
        if (!fill()) {
            return null;
        }
        Source lowest = sources.remove();
        StoredObject object = lowest.buffered.remove();
        if (!lowest.buffered.isEmpty()) {
            sources.add(lowest);
        } else if (lowest.nextKey != null) {
            unread.add(lowest);
        }
        return object;
    }

    /** Releases the memory of a returned object. */
    public void release(StoredObject object) {
        allowance.release(bytesHeld(object));
    }

    /** Releases the memory of what was read and not returned; nothing is returned after it. */
    public void abandon() {
        unread.clear();
        sources.forEach(source -> source.buffered.forEach(this::release));
        sources.clear();
    }

    /** The size of an object in memory, in bytes. */
    public static long bytesHeld(StoredObject object) {
        return object.stored().length + object.key().length() + OVERHEAD;
    }

    /** Whether another object follows. */
    public boolean hasNext() throws InterruptedException {
        return fill();
    }

    /** Reads until every partition has buffered its next object or has ended. */
    private boolean fill() throws InterruptedException {
        while (!unread.isEmpty()) {
            allowance.check();
            long began = System.nanoTime();
            List<Source> due = List.copyOf(unread);
            List<ScanPage> pages = view.fanOut().ask(due, Source::read);
            allowance.spent(System.nanoTime() - began);
            unread.clear();
            for (int i = 0; i < due.size(); i++) {
                Source source = due.get(i);
                source.take(pages.get(i));
                if (!source.buffered.isEmpty()) {
                    sources.add(source);
                } else if (source.nextKey != null) {
                    unread.add(source);
                }
            }
        }
        return !sources.isEmpty();
    }

    /** The pages of one partition. */
    private final class Source {
        private final int partition;
        private final Deque<StoredObject> buffered = new ArrayDeque<>();
        private @Nullable Bytes nextKey;
        private boolean first = true;

        /** A page came with values: the next ones would be read twice, too. */
        private boolean valuesNeeded;

        Source(int partition, Bytes fromKeyInclusive) {
            this.partition = partition;
            this.nextKey = fromKeyInclusive;
        }

        Bytes headKey() {
            return buffered.element().key();
        }

        /** Drops a page that does not fit the memory, and reads it again once it does. */
        ScanPage read() throws InterruptedException {
            long reserved = allowance.reserve(pageBytes());
            int most = (int) reserved;
            while (true) {
                ScanPage page;
                try {
                    page = readPage(most);
                } catch (RuntimeException | InterruptedException e) {
                    allowance.release(reserved);
                    throw e;
                }
                long actual = page.objects().stream().mapToLong(MergedScan::bytesHeld).sum();
                if (allowance.adjust(reserved, actual)) {
                    return page;
                }
                allowance.reserveAll(actual);
                reserved = actual;
            }
        }

        private int pageBytes() {
            boolean small =
                    first && at.partitions().size() > 1 && selection.requirements().isEmpty();
            return small ? Math.max(1, limits.bytes() / FIRST_PART) : limits.bytes();
        }

        private ScanPage readPage(int mostBytes) throws InterruptedException {
            Bytes from = nextKey == null ? Bytes.EMPTY : nextKey;
            return scope.kind() == Kind.EXACT
                    ? readKey(from)
                    : view.scanPage(
                            partition,
                            at,
                            new ScanRequest(
                                    scope.key(),
                                    from,
                                    at.revision(),
                                    selection,
                                    limits.entries(),
                                    mostBytes,
                                    valuesNeeded ? Projection.WHOLE : projection));
        }

        /** Reads one key without a scan, which would visit all keys with that prefix. */
        private ScanPage readKey(Bytes from) throws InterruptedException {
            if (scope.key().compareTo(from) < 0) {
                return new ScanPage(List.of(), Optional.empty(), 0, BY_KEY);
            }
            Optional<StoredObject> found = view.get(scope.key(), at, projection);
            if (found.isPresent() && !selection.isDecidedBy(found.get())) {
                found = view.get(scope.key(), at);
            }
            return new ScanPage(
                    found.filter(object -> !object.isWithheld()).filter(selection::matches).stream()
                            .toList(),
                    Optional.empty(),
                    1,
                    BY_KEY);
        }

        void take(ScanPage page) {
            keysScanned += page.keysScanned();
            accessPath = page.index().isEmpty() ? SCANNED : page.index();
            for (StoredObject object : page.objects()) {
                valuesNeeded |= projection.equals(Projection.METADATA) && !object.isMetadataOnly();
                if (scope.contains(object.key())) {
                    buffered.add(object);
                } else {
                    release(object);
                }
            }
            nextKey = page.nextKey().orElse(null);
            first = false;
        }
    }
}
