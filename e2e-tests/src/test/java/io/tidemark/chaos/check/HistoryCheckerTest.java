package io.tidemark.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.client.RecordedGet;
import io.tidemark.chaos.client.WatchLog;
import io.tidemark.chaos.load.AcknowledgedWrites;
import io.tidemark.chaos.load.EtcdOracleWatch;
import io.tidemark.chaos.load.ObjectSpace;
import io.tidemark.chaos.load.ObjectText;
import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.EventType;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.model.Payload;
import io.tidemark.simulation.model.ReferenceModel;
import io.tidemark.simulation.promise.FleetGuarantees;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.RecordedRead;
import io.tidemark.simulation.promise.RecordedRead.RequestedFreshness;
import io.tidemark.simulation.promise.RecordedReplica;
import io.tidemark.simulation.promise.Violation;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The checker of a run accepts correct results, and detects each kind of error. The truth:
 * revisions 2 to 4 put the objects 0 to 2, 5 puts 0 and 1 again together, 6 deletes 2.
 */
class HistoryCheckerTest {
    private static final ObjectSpace SPACE = new ObjectSpace(100, 2, 200);
    private static final long LAST = 6;

    private final Queue<EtcdOracleWatch.Revision> delivered = new ArrayDeque<>();
    private final HistoryChecker judge =
            new HistoryChecker(
                    SPACE, new AcknowledgedWrites(), delivered, new ReferenceModel(_ -> true));

    HistoryCheckerTest() {
        put(2, 0);
        put(3, 1);
        put(4, 2);
        put(5, 0, 1);
        LinkedHashMap<Bytes, @Nullable Payload> delete = new LinkedHashMap<>();
        delete.put(SPACE.key(2), null);
        delivered.add(new EtcdOracleWatch.Revision(6, delete, 6_000));
        judge.advance();
    }

    @Test
    void aWholeWatchKeepsAll() {
        assertThat(
                        brokenBy(log -> {
                            three(log);
                            log.ended(4);
                            put(log, EventType.MODIFIED, 0, 5);
                            put(log, EventType.MODIFIED, 1, 5);
                            log.bookmark(5);
                            log.event(EventType.DELETED, 2, 6, hash(2, 4));
                        }))
                .isEmpty();
    }

    @Test
    void aDroppedEventBreaksReliable() {
        assertThat(
                        brokenBy(log -> {
                            put(log, EventType.ADDED, 0, 2);
                            put(log, EventType.ADDED, 2, 4);
                            rest(log);
                        }))
                .containsExactly(Promise.RELIABLE);
    }

    @Test
    void aWatchThatEndsEarlyBreaksReliable() {
        assertThat(brokenBy(HistoryCheckerTest::three)).containsExactly(Promise.RELIABLE);
    }

    @Test
    void aRepeatedEventBreaksUnique() {
        assertThat(
                        brokenBy(log -> {
                            three(log);
                            put(log, EventType.ADDED, 2, 4);
                            rest(log);
                        }))
                .contains(Promise.UNIQUE);
    }

    @Test
    void eventsOutOfOrderBreakOrdered() {
        assertThat(
                        brokenBy(log -> {
                            put(log, EventType.ADDED, 1, 3);
                            put(log, EventType.ADDED, 0, 2);
                            put(log, EventType.ADDED, 2, 4);
                            rest(log);
                        }))
                .contains(Promise.ORDERED);
    }

    @Test
    void aReconnectInsideARevisionBreaksAtomic() {
        assertThat(
                        brokenBy(log -> {
                            three(log);
                            put(log, EventType.MODIFIED, 0, 5);
                            log.ended(5);
                            put(log, EventType.MODIFIED, 1, 5);
                            log.event(EventType.DELETED, 2, 6, hash(2, 4));
                        }))
                .containsExactly(Promise.ATOMIC);
    }

    @Test
    void anEarlyBookmarkBreaksBookmarkable() {
        assertThat(
                        brokenBy(log -> {
                            put(log, EventType.ADDED, 0, 2);
                            log.bookmark(3);
                            put(log, EventType.ADDED, 1, 3);
                            put(log, EventType.ADDED, 2, 4);
                            rest(log);
                        }))
                .containsExactly(Promise.BOOKMARKABLE);
    }

    @Test
    void anotherPayloadBreaksFiltered() {
        assertThat(
                        brokenBy(log -> {
                            three(log);
                            put(log, EventType.MODIFIED, 0, 5);
                            put(log, EventType.MODIFIED, 1, 5);
                            log.event(EventType.DELETED, 2, 6, 17);
                        }))
                .contains(Promise.FILTERED);
    }

    @Test
    void a410WithinTheHistoryBreaksResumable() {
        assertThat(brokenBy(WatchLog::expired)).contains(Promise.RESUMABLE);
    }

    @Test
    void aListAtTheNewestKeepsAll() {
        judge.read("reader", list(new RequestedFreshness.Now(), 6, 6, item(0, 5), item(1, 5)));
        assertThat(broken()).isEmpty();
    }

    @Test
    void aStaleListBreaksLinearizable() {
        judge.read(
                "reader",
                list(new RequestedFreshness.Now(), 4, 6, item(0, 2), item(1, 3), item(2, 4)));
        assertThat(broken()).containsExactly(Promise.LINEARIZABLE);
    }

    @Test
    void aListOlderThanAskedForBreaksNotOlderThan() {
        judge.read(
                "reader",
                list(new RequestedFreshness.AtLeast(5), 4, 0, item(0, 2), item(1, 3), item(2, 4)));
        assertThat(broken()).containsExactly(Promise.NOT_OLDER_THAN);
    }

    @Test
    void aListOfTwoStatesBreaksSnapshot() {
        judge.read(
                "reader",
                list(new RequestedFreshness.Any(), 5, 0, item(0, 2), item(1, 5), item(2, 4)));
        assertThat(broken()).containsExactly(Promise.SNAPSHOT);
    }

    @Test
    void anOlderReadBreaksMonotonic() {
        judge.read("reader", list(new RequestedFreshness.Now(), 6, 6, item(0, 5), item(1, 5)));
        judge.read(
                "reader",
                list(new RequestedFreshness.Now(), 5, 5, item(0, 5), item(1, 5), item(2, 4)));
        judge.advance();
        judge.checkClients();
        assertThat(broken()).containsExactly(Promise.MONOTONIC);
    }

    @Test
    void aListFromTheFutureBreaksNoTimeTravel() {
        judge.read("reader", list(new RequestedFreshness.Any(), 9, 0));
        judge.advance();
        judge.checkClients();
        assertThat(broken()).containsExactly(Promise.NO_TIME_TRAVEL);
    }

    @Test
    void checksGetsByTheReturnedVersion() {
        judge.read(get(0, new RequestedFreshness.Now(), 5, 6));
        judge.read(get(0, new RequestedFreshness.AtLeast(4), 2, 4));
        assertThat(brokenGets()).isEmpty();

        judge.read(get(0, new RequestedFreshness.Now(), 2, 5));
        assertThat(brokenGets()).containsExactly(Promise.LINEARIZABLE);
    }

    @Test
    void aGetOfADeletedObjectBreaksLinearizable() {
        judge.read(get(2, new RequestedFreshness.Now(), 4, 6));
        assertThat(brokenGets()).containsExactly(Promise.LINEARIZABLE);
    }

    @Test
    void aMissingObjectBreaksNotOlderThan() {
        judge.read(new RecordedGet("r", SPACE.key(2), new RequestedFreshness.AtLeast(5), null, 5));
        assertThat(brokenGets()).isEmpty();
        judge.read(new RecordedGet("r", SPACE.key(0), new RequestedFreshness.AtLeast(5), null, 5));
        assertThat(brokenGets()).containsExactly(Promise.NOT_OLDER_THAN);
    }

    @Test
    void aGetOfAStateThatNeverExistedBreaksSnapshot() {
        judge.read(
                new RecordedGet(
                        "r",
                        SPACE.key(0),
                        new RequestedFreshness.Any(),
                        new Item(SPACE.key(0), 5, "17"),
                        0));
        assertThat(brokenGets()).containsExactly(Promise.SNAPSHOT);
    }

    @Test
    void aNodeThatLacksAnObjectBreaksConvergent() {
        judge.check(
                new RecordedReplica(
                        "node",
                        1,
                        0,
                        LAST,
                        FleetGuarantees.CONVERGENCE_MILLIS,
                        List.of(item(0, 5)),
                        List.of(),
                        SPACE.everything(),
                        0));
        assertThat(broken()).containsExactly(Promise.CONVERGENT);
    }

    private void put(long revision, int... indexes) {
        LinkedHashMap<Bytes, @Nullable Payload> writes = new LinkedHashMap<>();
        for (int index : indexes) {
            writes.put(
                    SPACE.key(index),
                    new Payload(
                            Bytes.EMPTY,
                            true,
                            Map.of("app", "app-0"),
                            EtcdOracleWatch.shown(hash(index, revision))));
        }
        delivered.add(new EtcdOracleWatch.Revision(revision, writes, revision * 1_000));
    }

    private static void put(WatchLog log, EventType type, int index, long revision) {
        log.event(type, index, revision, hash(index, revision));
    }

    private static void three(WatchLog log) {
        put(log, EventType.ADDED, 0, 2);
        put(log, EventType.ADDED, 1, 3);
        put(log, EventType.ADDED, 2, 4);
    }

    private static void rest(WatchLog log) {
        put(log, EventType.MODIFIED, 0, 5);
        put(log, EventType.MODIFIED, 1, 5);
        log.event(EventType.DELETED, 2, 6, hash(2, 4));
    }

    private static long hash(int index, long revision) {
        byte[] value = SPACE.value(index, 0, revision).array();
        return ObjectText.hash(value, 0, value.length);
    }

    private static Item item(int index, long revision) {
        return new Item(SPACE.key(index), revision, EtcdOracleWatch.shown(hash(index, revision)));
    }

    private static RecordedRead list(
            RequestedFreshness ask, long revision, long acknowledged, Item... items) {
        List<Item> inKeyOrder =
                List.of(items).stream().sorted(Comparator.comparing(Item::key)).toList();
        return new RecordedRead(
                1,
                SPACE.everything(),
                ask,
                new RecordedRead.Answer.Listed(
                        revision, List.of(new RecordedRead.Page(revision, inKeyOrder)), -1),
                0,
                0,
                acknowledged,
                false);
    }

    private static RecordedGet get(int index, RequestedFreshness ask, long revision, long atLeast) {
        return new RecordedGet("r", SPACE.key(index), ask, item(index, revision), atLeast);
    }

    private Set<Promise> brokenBy(Consumer<WatchLog> received) {
        WatchLog log = new WatchLog("watch", SPACE.everything(), 1);
        received.accept(log);
        judge.check(log, LAST);
        return broken();
    }

    private Set<Promise> brokenGets() {
        // A 404 waits for the next changes.
        put(judge.truth().revision() + 1, 50);
        judge.advance();
        return broken();
    }

    private Set<Promise> broken() {
        judge.advance();
        Set<Promise> promises = new TreeSet<>();
        for (Violation violation : judge.violations()) {
            promises.add(violation.promise());
        }
        return promises;
    }
}
