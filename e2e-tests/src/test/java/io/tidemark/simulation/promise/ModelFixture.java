package io.tidemark.simulation.promise;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.EpochHistory;
import io.tidemark.simulation.model.EventType;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.model.ModelFilter;
import io.tidemark.simulation.model.Payload;
import io.tidemark.simulation.model.Received;
import io.tidemark.simulation.model.ReferenceModel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A short history to check records against; the base of tests that do.
 *
 * <pre>
 * 2  a = a2 app=web
 * 3  b = b3 app=db
 * 4  a = a4 app=web, c = c4 app=web      one transaction
 * 5  b = b5 app=web                      enters the selector
 * 6  a deleted
 * 7  b = b7 app=db, c deleted            one transaction; b leaves the selector
 * </pre>
 */
abstract class ModelFixture {
    static final ModelFilter PODS = new ModelFilter(Bytes.utf8("/registry/pods/"), true, Map.of());
    static final ModelFilter WEB =
            new ModelFilter(Bytes.utf8("/registry/pods/"), true, Map.of("app", "web"));

    final ReferenceModel model = new ReferenceModel(_ -> true);

    ModelFixture() {
        commit("a", "web", 2);
        commit("b", "db", 3);
        Map<Bytes, @Nullable Payload> two = new LinkedHashMap<>();
        two.put(key("a"), payload("a", "web", 4));
        two.put(key("c"), payload("c", "web", 4));
        model.commit(two, 0, 4_000);
        commit("b", "web", 5);
        Map<Bytes, @Nullable Payload> delete = new LinkedHashMap<>();
        delete.put(key("a"), null);
        model.commit(delete, 0, 6_000);
        Map<Bytes, @Nullable Payload> last = new LinkedHashMap<>();
        last.put(key("b"), payload("b", "db", 7));
        last.put(key("c"), null);
        model.commit(last, 0, 7_000);
    }

    EpochHistory truth() {
        return model.current();
    }

    /** The promises that a watch broke. */
    Set<Promise> broken(RecordedWatch watch) {
        return promises(new Guarantees(model, 0).check(watch));
    }

    /** The promises that a read broke. */
    Set<Promise> broken(RecordedRead read) {
        return promises(new Guarantees(model, 100).check(read));
    }

    private static Set<Promise> promises(Guarantees checked) {
        Set<Promise> promises = new TreeSet<>();
        checked.violations().forEach(violation -> promises.add(violation.promise()));
        return promises;
    }

    private void commit(String name, String app, long revision) {
        Map<Bytes, @Nullable Payload> one = new LinkedHashMap<>();
        one.put(key(name), payload(name, app, revision));
        model.commit(one, 0, revision * 1_000);
    }

    static Bytes key(String name) {
        return Bytes.utf8("/registry/pods/" + name);
    }

    static Payload payload(String name, String app, long serial) {
        return Payload.object(name, Map.of("app", app), serial);
    }

    static Item item(String name, String app, long revision) {
        return new Item(key(name), revision, payload(name, app, revision).shown());
    }

    static RecordedWatch watch(ModelFilter interest, long afterRevision, Received... received) {
        RecordedWatch watch = new RecordedWatch(1, interest, OptionalLong.of(afterRevision), 1);
        List.of(received).forEach(watch::add);
        return watch;
    }

    static Received.Event added(String name, String app, long revision) {
        return event(EventType.ADDED, name, app, revision, revision);
    }

    static Received.Event modified(String name, String app, long revision) {
        return event(EventType.MODIFIED, name, app, revision, revision);
    }

    /** {@code serial} is of the state that it shows: the last one that matched. */
    static Received.Event deleted(String name, String app, long revision, long serial) {
        return event(EventType.DELETED, name, app, revision, serial);
    }

    private static Received.Event event(
            EventType type, String name, String app, long revision, long serial) {
        return new Received.Event(1, type, revision, key(name), payload(name, app, serial).shown());
    }

    static Received bookmark(long revision) {
        return new Received.Bookmark(revision, false);
    }
}
