package io.tidemark.query.http.changes;

import io.tidemark.query.changes.ChangeClass;
import io.tidemark.query.changes.ChangeFilter.Picked;
import io.tidemark.query.changes.ChangeItem;
import io.tidemark.serving.read.MergedChanges;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ObjectChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads one page of a request's changes. The history can be read forward only, so a page with the
 * newest changes first is read in windows of revisions, each before the last one, whose size
 * follows from how much the last one held. For one request and thread.
 */
final class ChangePages {
    private static final long FIRST_WINDOW = 256;
    private static final long LARGEST_WINDOW = 1 << 20;

    /** A window grows at most by this factor. */
    private static final int GROWTH = 8;

    /** Changes that a window should hold. */
    private static final int WINDOW_CHANGES = 2_000;

    /** With more, a window that is not the smallest is given up: its newest would come last. */
    private static final int MOST_CHANGES = 4 * WINDOW_CHANGES;

    private final ChangesRead source;
    private long reserved;

    /** Of the page's items. */
    private long bytes;

    ChangePages(ChangesRead source) {
        this.source = source;
    }

    /**
     * Reads what {@link ChangesFound#end} of a page says.
     *
     * @throws IllegalArgumentException if it is of something else
     */
    static ChangePosition position(String text) {
        int dot = text.indexOf('.');
        return new ChangePosition(
                Long.parseLong(text.substring(0, Math.max(0, dot))),
                Integer.parseInt(text.substring(dot + 1)));
    }

    private static String text(ChangePosition position) {
        return position.revision() + "." + position.index();
    }

    /** A change in the scope; the item is null when its class is not asked for. */
    private record Entry(ChangePosition at, ChangeClass about, @Nullable ChangeItem item) {
        long weight() {
            return item == null ? 0 : item.weight();
        }
    }

    /**
     * The newest changes first.
     *
     * @param at whose partitions and history are read
     * @param from exclusive
     * @param before exclusive
     */
    ChangesFound newest(ReadPoint at, long from, ChangePosition before)
            throws InterruptedException {
        List<ChangeItem> items = new ArrayList<>();
        Map<ChangeClass, Long> hidden = new EnumMap<>(ChangeClass.class);
        ChangePosition upper = before;
        long size = FIRST_WINDOW;
        while (upper.revision() > from) {
            long low = Math.max(from, upper.revision() - size);
            boolean first = upper.equals(before);
            Window window = window(at, low, upper, source.limit() - items.size(), first);
            if (!window.whole()) {
                window.entries().forEach(this::drop);
                if (source.isOver()) {
                    break;
                }
                size = Math.max(FIRST_WINDOW, size / GROWTH);
                continue;
            }
            for (Entry entry : window.entries().reversed()) {
                if (entry.item() == null) {
                    hidden.merge(entry.about(), 1L, Long::sum);
                } else {
                    items.add(entry.item());
                    bytes += entry.weight();
                }
            }
            if (window.full()) {
                return new ChangesFound(items, hidden, text(window.entries().getFirst().at()));
            }
            upper = ChangePosition.endOf(low);
            if (isFull(items) || source.isOver()) {
                break;
            }
            long passed = before.revision() - upper.revision();
            size =
                    next(
                            size,
                            window.read(),
                            passed * (source.limit() - items.size()) / (1 + items.size()));
        }
        return new ChangesFound(items, hidden, upper.revision() > from ? text(upper) : "");
    }

    /**
     * @param full whether it holds more than was wanted: the oldest of it were left out
     * @param read number of changes
     * @param whole false if it was given up: the rest was not read
     */
    private record Window(Deque<Entry> entries, boolean full, int read, boolean whole) {}

    /**
     * Gives up a window with too many changes, unless it is the smallest, or when the time is over.
     *
     * @param first whether it is the page's first, the smallest, which the time does not end: the
     *     page would get no further
     */
    private Window window(ReadPoint at, long low, ChangePosition before, int wanted, boolean first)
            throws InterruptedException {
        MergedChanges changes = changes(at, ChangePosition.endOf(low));
        Deque<Entry> entries = new ArrayDeque<>();
        int shown = 0;
        long held = bytes;
        int read = 0;
        boolean full = false;
        boolean smallest = before.revision() - low <= FIRST_WINDOW;
        while (changes.through().wholeRevision() < before.revision()) {
            if (!first && source.isOver()) {
                return new Window(entries, full, read, false);
            }
            ChangePosition begun = changes.through();
            ChangePage page = next(changes, before.revision());
            if (changes.through().equals(begun) && source.isOver()) {
                throw StatusErrors.requestTimedOut();
            }
            for (ObjectChange change : page.changes()) {
                Optional<Entry> entry = entry(change);
                if (entry.isEmpty() || entry.get().at().compareTo(before) >= 0) {
                    continue;
                }
                entries.addLast(entry.get());
                shown += entry.get().item() == null ? 0 : 1;
                held += entry.get().weight();
                while (shown > wanted || (shown > 1 && held > source.bytes())) {
                    full = true;
                    Entry oldest = entries.removeFirst();
                    shown -= oldest.item() == null ? 0 : 1;
                    held -= oldest.weight();
                    drop(oldest);
                }
            }
            read += page.changes().size();
            release(page);
            if (!smallest && read > MOST_CHANGES) {
                return new Window(entries, full, read, false);
            }
        }
        return new Window(entries, full, read, true);
    }

    private boolean isFull(List<ChangeItem> items) {
        return items.size() >= source.limit() || bytes >= source.bytes();
    }

    private void drop(Entry entry) {
        if (entry.item() != null) {
            source.drop(entry.item());
        }
    }

    /**
     * The size of the next window: of as many changes as a window should hold, and not much larger
     * than what is likely to fill the page.
     *
     * @param filling revisions that hold the changes that are missing, if they are as frequent as
     *     before
     */
    private static long next(long size, int read, long filling) {
        long fit = Math.min(size * WINDOW_CHANGES / Math.max(1, read), 2 * filling);
        return Math.clamp(fit, FIRST_WINDOW, Math.min(LARGEST_WINDOW, size * GROWTH));
    }

    /**
     * The oldest changes first.
     *
     * @param after exclusive
     */
    ChangesFound oldest(ReadPoint at, ChangePosition after) throws InterruptedException {
        List<ChangeItem> items = new ArrayList<>();
        Map<ChangeClass, Long> hidden = new EnumMap<>(ChangeClass.class);
        MergedChanges changes = changes(at, after);
        ChangePosition reached = after;
        while (changes.through().wholeRevision() < at.revision()) {
            ChangePage page = next(changes, at.revision());
            for (ObjectChange change : page.changes()) {
                if (isFull(items)) {
                    return new ChangesFound(items, hidden, text(reached));
                }
                reached = ChangePosition.of(change);
                entry(change)
                        .ifPresent(entry -> {
                            if (entry.item() == null) {
                                hidden.merge(entry.about(), 1L, Long::sum);
                            } else {
                                items.add(entry.item());
                                bytes += entry.weight();
                            }
                        });
            }
            reached = changes.through();
            release(page);
            if (source.isOver() && reached.wholeRevision() < at.revision()) {
                return new ChangesFound(items, hidden, text(reached));
            }
        }
        return new ChangesFound(items, hidden, "");
    }

    private MergedChanges changes(ReadPoint at, ChangePosition after) throws InterruptedException {
        return source.view()
                .changesIn(
                        at.partitions(),
                        source.scope().keys().key(),
                        source.scope().directory(),
                        at.epoch(),
                        after,
                        limits(at.partitions()));
    }

    /** Books the memory of one page of each partition, once, until the request ends. */
    private PageLimits limits(PartitionSet partitions) throws InterruptedException {
        if (reserved == 0) {
            long most = (long) ChangesRead.PAGE.bytes() * partitions.size();
            reserved = source.exchange().allowance().reserve(most);
        }
        int each = Math.toIntExact(Math.max(1, reserved / partitions.size()));
        return new PageLimits(ChangesRead.PAGE.entries(), each);
    }

    /** Books what a page with a large change takes beyond what is reserved. */
    private ChangePage next(MergedChanges changes, long through) throws InterruptedException {
        source.exchange().requireClient();
        ChangePage page = changes.next(through);
        source.exchange().memory().take(beyond(page));
        source.exchange().allowance().addLoaded(page.bytes());
        return page;
    }

    private void release(ChangePage page) {
        source.exchange().memory().release(beyond(page));
    }

    private long beyond(ChangePage page) {
        return Math.max(0, page.bytes() - reserved);
    }

    private Optional<Entry> entry(ObjectChange change) {
        if (!source.scope().keys().contains(change.key())) {
            return Optional.empty();
        }
        ChangePosition at = ChangePosition.of(change);
        return switch (source.filter().pick(change)) {
            case Picked.Other _ -> Optional.empty();
            case Picked.Hidden(ChangeClass about) -> Optional.of(new Entry(at, about, null));
            case Picked.Shown(ChangeItem item) -> {
                source.keep(item);
                yield Optional.of(new Entry(at, item.about(), item));
            }
        };
    }
}
