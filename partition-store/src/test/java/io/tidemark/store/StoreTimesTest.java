package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Change.TideMark;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.view.request.ReadOutcome.Expired;
import io.tidemark.view.request.ReadOutcome.ReplicaUnavailable;
import io.tidemark.view.request.ReadOutcome.Served;
import io.tidemark.view.request.RevisionAtRequest;
import io.tidemark.view.request.RevisionAtTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Records older than the window or than the compaction lag, and the clocks that decide it. */
class StoreTimesTest extends StoreFixture {
    @Test
    void correctsAClockThatIsFarAhead() {
        apply(Changes.begin(10), Changes.end(10), Changes.put("a", 11, 0), Changes.progress(11));
        Duration ahead = LAG.multipliedBy(3);
        clock.advance(ahead);
        applyAged(Changes.put("a", 12, 0), ahead);
        applyAged(Changes.progress(12), ahead);
        assertThat(store.isCaughtUp()).isFalse();
        store.observeTopicEnd(offset, clock.millis());
        store.markCaughtUp();
        clock.advance(Duration.ofSeconds(1));
        applyAged(Changes.put("a", 13, 0), ahead);
        applyAged(Changes.progress(13), ahead);
        assertThat(store.isCaughtUp()).isTrue();
        assertThat(store.state().floor()).isEqualTo(12);
        // An old record is old by the broker's clock too.
        applyAged(Changes.progress(14), ahead.plus(LAG));
        assertThat(store.isCaughtUp()).isFalse();
        assertThat(store.state().floor()).isEqualTo(14);
    }

    /** Earlier changes may have been compacted meanwhile; later ones were not. */
    @Test
    void brokerClockAheadForAMomentKeepsLaterHistory() {
        apply(Changes.begin(10), Changes.end(10), Changes.put("a", 11, 0), Changes.progress(11));
        applyAged(Changes.put("a", 12, 0), LAG.multipliedBy(3).negated());
        applyAged(Changes.progress(12), LAG.multipliedBy(3).negated());
        long floor = store.state().floor();
        clock.advance(Duration.ofSeconds(1));
        apply(Changes.put("a", 13, 0), Changes.put("a", 14, 0), Changes.progress(14));
        assertThat(store.isCaughtUp()).isTrue();
        assertThat(store.state().floor()).isEqualTo(floor).isLessThanOrEqualTo(12);
        assertThat(at(13)).containsExactly("a@13");
    }

    /** Else a read of these minutes would get the state from before them, as the final one. */
    @Test
    void timesAreRightAfterABrokersClockWasAhead() {
        apply(Changes.begin(10), Changes.end(10), progress(11));
        clock.advance(Duration.ofSeconds(10));
        Duration ahead = Duration.ofHours(3);
        for (int revision = 12; revision < 15; revision++) {
            clock.advance(Duration.ofSeconds(10));
            applyAged(progress(revision), ahead.negated());
        }
        assertThat(revisionAt(clock.millis())).isEqualTo("11, settled");

        for (int revision = 15; revision < 45; revision++) {
            clock.advance(Duration.ofMinutes(1));
            apply(progress(revision));
        }
        assertThat(store.state().markTimeMillis()).isEqualTo(clock.millis());
        long soon = clock.millis() + 1_000;
        assertThat(revisionAt(soon - Duration.ofMinutes(10).toMillis())).isEqualTo("34, settled");
        assertThat(revisionAt(soon)).isEqualTo("44, may change");
        assertThat(revisionAt(soon + ahead.toMillis())).isEqualTo("44, may change");
        store = open(1 << 20);
        assertThat(revisionAt(soon - Duration.ofMinutes(1).toMillis())).isEqualTo("43, settled");
    }

    /** A mark with the connector's time, as of now. */
    private TideMark progress(long revision) {
        return Changes.progress(revision).withTime(clock.millis());
    }

    private String revisionAt(long timeMillis) {
        RevisionAtTime at =
                ((Served<RevisionAtTime>) store.view().read(new RevisionAtRequest(timeMillis)))
                        .value();
        return at.revision().getAsLong() + (at.settled() ? ", settled" : ", may change");
    }

    @Test
    void delayedMarkIsAsOfItsCreation() {
        apply(Changes.begin(10), Changes.end(10));
        long now = clock.millis();

        apply(Changes.mark(1, 20, Kind.PROGRESS).withTime(now - 10_000));
        assertThat(store.state().markTimeMillis()).isEqualTo(now);

        clock.advance(Duration.ofSeconds(30));
        apply(Changes.mark(1, 30, Kind.PROGRESS).withTime(now + 5_000));
        assertThat(store.state().markTimeMillis()).isEqualTo(now + 5_000);

        apply(Changes.mark(1, 31, Kind.PROGRESS).withTime(clock.millis() + 7_000));
        assertThat(store.state().markTimeMillis()).isEqualTo(clock.millis());
    }

    /** An epoch may begin with the oldest state that etcd still has. */
    @Test
    void newListMayBeAsOfAnEarlierTime() {
        apply(Changes.begin(10), Changes.end(10), Changes.progress(20));
        assertThat(store.state().markTimeMillis()).isEqualTo(clock.millis());

        long longAgo = clock.millis() - 60_000;
        apply(
                Changes.mark(2, 5, Kind.LIST_BEGIN).withTime(longAgo),
                Changes.mark(2, 5, Kind.LIST_END).withTime(longAgo));

        assertThat(store.state().watermark()).isEqualTo(5);
        assertThat(store.state().markTimeMillis()).isEqualTo(longAgo);
    }

    @Test
    void trimsHistoryByAge() {
        apply(Changes.begin(10), Changes.end(10));
        clock.advance(Duration.ofMinutes(1));
        apply(Changes.put("a", 11, 0), Changes.progress(11));
        clock.advance(LAG.dividedBy(2));
        apply(Changes.put("a", 12, 0), Changes.progress(12));
        assertThat(store.state().floor()).isEqualTo(10);
        clock.advance(LAG.dividedBy(2).plusSeconds(1));
        apply(Changes.progress(13));
        assertThat(store.state().floor()).isEqualTo(11);
        assertThat(changes(10, 5)).isEqualTo(new Expired<>(11));
        assertThat(at(11)).containsExactly("a@11");
        assertThat(at(13)).containsExactly("a@12");
    }

    @Test
    void trimsHistoryByBytes() {
        store.close();
        engine.reopen();
        store = open(1_000);
        apply(Changes.begin(10), Changes.end(10));
        for (int i = 11; i < 60; i++) {
            apply(Changes.put("a", i, 0), Changes.progress(i));
        }
        assertThat(store.state().floor()).isBetween(50L, 58L);
        assertThat(at(store.state().floor())).containsExactly("a@" + store.state().floor());
        int versions = engine.size(Family.VERSIONS);
        assertThat(versions).isLessThan(8);
    }

    @Test
    void quietPartitionKeepsItsFloor() {
        apply(Changes.begin(10), Changes.end(10), Changes.put("a", 11, 0), Changes.progress(11));
        for (int i = 0; i < 300; i++) {
            clock.advance(Duration.ofMinutes(1));
            apply(Changes.progress(12 + i));
        }
        assertThat(store.state().floor()).isEqualTo(11);
        assertThat(engine.size(Family.META)).isLessThan(150);
    }

    @Test
    void oldRecordsRaiseTheFloorAndDelayReadiness() {
        applyAged(Changes.begin(10), LAG);
        applyAged(Changes.end(10), LAG);
        applyAged(Changes.put("a", 11, 0), LAG);
        applyAged(Changes.put("b", 12, 0), LAG);
        applyAged(Changes.progress(12), LAG);
        assertThat(store.state().ready()).isFalse();
        apply(Changes.put("a", 13, 0), Changes.progress(13));
        assertThat(store.state().ready()).isTrue();
        assertThat(store.state().floor()).isEqualTo(12);
        assertThat(at(12)).containsExactly("a@11", "b@12");
        assertThat(at(13)).containsExactly("a@13", "b@12");
    }

    @Test
    void repeatedOldChangeMakesNoHistory() {
        apply(Changes.begin(10), Changes.end(10));
        applyAged(Changes.put("a", 11, 0), LAG);
        apply(Changes.put("a", 11, 0), Changes.progress(11));
        assertThat(at(11)).containsExactly("a@11");
        assertThat(engine.size(Family.HISTORY)).isZero();
    }

    @Test
    void oldStateIsReadyAtTheEndOfTheTopic() {
        applyAged(Changes.begin(10), LAG);
        applyAged(Changes.end(10), LAG);
        store.markCaughtUp();
        assertThat(store.state().ready()).isTrue();
    }

    @Test
    void oldRecordAboveTheWatermarkHidesTheStateUntilItsMark() {
        apply(Changes.begin(10), Changes.end(10), Changes.progress(11));
        applyAged(Changes.put("a", 12, 0), LAG);
        apply(Changes.put("b", 13, 0));
        store.write();
        assertThat(store.state().ready()).isFalse();
        assertThat(scan(11)).isInstanceOf(ReplicaUnavailable.class);
        apply(Changes.progress(13));
        assertThat(at(13)).containsExactly("a@12", "b@13");
    }

    /** The delete of a key that it holds may have been compacted away meanwhile. */
    @Test
    void startsFromNothingWhenAwayForLongerThanDeletesAreKept() {
        apply(Changes.begin(10), Changes.end(10), Changes.put("a", 11, 0), Changes.progress(20));
        clock.advance(LAG);
        assertThat(store.resetIfOlderThan(LAG, clock.millis())).isEmpty();
        assertThat(at(20)).containsExactly("a@11");

        clock.advance(Duration.ofMillis(1));
        assertThat(store.resetIfOlderThan(LAG, clock.millis())).contains(LAG.plusMillis(1));
        assertThat(store.appliedOffset()).isNegative();
        assertThat(store.isCaughtUp()).isFalse();
        assertThat(store.resetIfOlderThan(LAG, clock.millis())).isEmpty();
    }
}
