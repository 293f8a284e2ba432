package io.tidemark.query.http.changes;

import io.tidemark.query.changes.ChangeClass;
import io.tidemark.query.changes.ChangeFilter.Picked;
import io.tidemark.query.changes.ChangeItem;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ObjectChange;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Compares two states of one history: one item for each object that differs, in the order of keys.
 * Objects of the same revision are equal and are not parsed.
 */
final class ComparedStates {
    /** A page does not end at a longer key, in bytes: its token would be too long. */
    private static final int LONGEST_END = 2_048;

    private final ChangesRead source;
    private final List<KeyScope> scopes;
    private final BiFunction<ReadPoint, KeyScope, ReadPoint> points;
    private final List<ChangeItem> items = new ArrayList<>();
    private final Map<ChangeClass, Long> hidden = new EnumMap<>(ChangeClass.class);
    private long bytes;

    /** Whether the page has passed a key or a scope: one that ends before would never get on. */
    private boolean advanced;

    /**
     * @param scopes the keys that are compared, in their order; the request has the right to all
     * @param points narrows a state to the partitions of a scope
     */
    ComparedStates(
            ChangesRead source,
            List<KeyScope> scopes,
            BiFunction<ReadPoint, KeyScope, ReadPoint> points) {
        this.source = source;
        this.scopes = scopes;
        this.points = points;
    }

    /**
     * Reads the key that {@link ChangesFound#end} of a page names.
     *
     * @throws IllegalArgumentException if it names none that is compared
     */
    Bytes key(String end) {
        Bytes key = Bytes.wrap(Base64.getUrlDecoder().decode(end));
        if (scopes.stream().noneMatch(scope -> isIn(scope, key))) {
            throw new IllegalArgumentException("not one of the keys that are compared");
        }
        return key;
    }

    /**
     * One page.
     *
     * @param from the first key, inclusive; {@link Bytes#EMPTY} for the begin
     */
    ChangesFound page(ReadPoint before, ReadPoint after, Bytes from) throws InterruptedException {
        Bytes begin = from;
        for (KeyScope scope : scopes) {
            if (!begin.equals(Bytes.EMPTY) && !isIn(scope, begin)) {
                continue;
            }
            Optional<Bytes> end =
                    isOver()
                            ? Optional.of(scope.key())
                            : compare(
                                    scope,
                                    points.apply(before, scope),
                                    points.apply(after, scope),
                                    begin);
            advanced = true;
            begin = Bytes.EMPTY;
            if (end.isPresent()) {
                return new ChangesFound(items, hidden, text(end.get()));
            }
        }
        return new ChangesFound(items, hidden, "");
    }

    /** The key of a scope is where a page ends that did not begin to read it. */
    private static boolean isIn(KeyScope scope, Bytes key) {
        return scope.contains(key) || scope.key().equals(key);
    }

    /**
     * Adds the differences of one scope.
     *
     * @return the key that the page ends before; empty when it has room for more
     */
    private Optional<Bytes> compare(KeyScope scope, ReadPoint before, ReadPoint after, Bytes from)
            throws InterruptedException {
        Side old = new Side(scope, before, from);
        Side current = new Side(scope, after, from);
        while (old.object != null || current.object != null) {
            Bytes key = lower(old.object, current.object);
            if (isFull() && key.length() <= LONGEST_END) {
                return Optional.of(key);
            }
            @Nullable StoredObject was = old.at(key);
            @Nullable StoredObject is = current.at(key);
            if (was == null || is == null || was.revision() != is.revision()) {
                long revision = is == null ? after.revision() : is.revision();
                add(source.filter().pick(new ObjectChange(revision, 0, key, is, was)));
            }
            old.pass(was);
            current.pass(is);
            advanced = true;
        }
        return Optional.empty();
    }

    private boolean isFull() {
        return items.size() >= source.limit() || bytes >= source.bytes() || isOver();
    }

    private boolean isOver() {
        return advanced && source.isOver();
    }

    private void add(Picked picked) {
        switch (picked) {
            case Picked.Other _ -> {}
            case Picked.Hidden(ChangeClass about) -> hidden.merge(about, 1L, Long::sum);
            case Picked.Shown(ChangeItem item) -> {
                source.keep(item);
                bytes += item.weight();
                items.add(item);
            }
        }
    }

    private static Bytes lower(@Nullable StoredObject a, @Nullable StoredObject b) {
        if (a == null || b == null) {
            StoredObject only = a == null ? b : a;
            if (only == null) {
                throw new IllegalArgumentException("both states have ended");
            }
            return only.key();
        }
        return a.key().compareTo(b.key()) <= 0 ? a.key() : b.key();
    }

    private static String text(Bytes key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key.array());
    }

    /** The objects of one state, one at a time. */
    private final class Side {
        private final MergedScan scan;
        private @Nullable StoredObject object;

        Side(KeyScope scope, ReadPoint at, Bytes from) throws InterruptedException {
            scan =
                    source.view()
                            .scan(
                                    scope,
                                    Selection.ALL,
                                    from,
                                    at,
                                    ChangesRead.PAGE,
                                    Projection.WHOLE,
                                    source.exchange().allowance());
            object = scan.next();
        }

        /** The object if it has this key. */
        @Nullable StoredObject at(Bytes key) {
            return object != null && object.key().equals(key) ? object : null;
        }

        /** Goes on to the next object, unless the key had none here. */
        void pass(@Nullable StoredObject done) throws InterruptedException {
            if (done != null) {
                scan.release(done);
                object = scan.next();
            }
        }
    }
}
