package io.tidemark.store.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change.TideMark;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.store.Changes;
import io.tidemark.store.ManualClock;
import io.tidemark.store.PartitionStore;
import io.tidemark.store.engine.InMemoryEngine;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.engine.ScanRecorder;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.view.request.KeyVersion;
import io.tidemark.view.request.ReadOutcome.Served;
import io.tidemark.view.request.RevisionAtRequest;
import io.tidemark.view.request.RevisionAtTime;
import io.tidemark.view.request.VersionPage;
import io.tidemark.view.request.VersionsRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class TimeSamplesTest {
    private static final long START = 1_700_000_000_000L;
    private static final long SLOT = 100;
    private static final String POD = "/registry/pods/x/a";

    private final ManualClock clock = new ManualClock(Instant.ofEpochMilli(START));
    private final Fed one = new Fed(new InMemoryEngine());

    /** A store with its topic, applied at given broker times. */
    private final class Fed {
        private final PartitionStore store;
        private long offset;

        Fed(KeyValueEngine engine) {
            store =
                    PartitionStore.open(
                            0, engine, StoreSettings.DEFAULT, clock, ReadExecutor.DIRECT, false);
        }

        void mark(long revision, Kind kind, long timeMillis, long appendedMillis) {
            TideMark mark = Changes.mark(1, revision, kind).withTime(timeMillis);
            store.apply(mark, offset++, appendedMillis);
        }

        void list(long revision, long timeMillis) {
            mark(revision, Kind.LIST_BEGIN, timeMillis, timeMillis);
            mark(revision, Kind.LIST_END, timeMillis, timeMillis);
        }

        void progress(long revision, long timeMillis) {
            mark(revision, Kind.PROGRESS, timeMillis, timeMillis);
        }

        RevisionAtTime at(long timeMillis) {
            return served(store.view().read(new RevisionAtRequest(timeMillis)));
        }
    }

    private static <T> T served(Object outcome) {
        @SuppressWarnings("unchecked")
        Served<T> answer = (Served<T>) outcome;
        return answer.value();
    }

    @Test
    void answersAsOfTheEndOfTheLastCompleteSlot() {
        one.list(10, START);
        one.progress(11, START + 30);
        one.progress(12, START + 100);
        one.progress(13, START + 101);

        assertThat(one.at(START - 1).revision()).isEmpty();
        assertThat(one.at(START).revision()).hasValue(10);
        assertThat(one.at(START + 99).revision()).hasValue(10);
        assertThat(one.at(START + 100))
                .isEqualTo(new RevisionAtTime(OptionalLong.of(12), true, START));
        assertThat(one.at(START + 199).revision()).hasValue(12);
        assertThat(one.at(START + 200))
                .isEqualTo(new RevisionAtTime(OptionalLong.of(13), false, START));
    }

    /** An engine has to step over tombstones until it has compacted them. */
    @Test
    void doesNotScanDroppedSamples() {
        ScanRecorder engine = new ScanRecorder(new InMemoryEngine(), KeyValueEngine.Family.META);
        Fed fed = new Fed(engine);
        fed.list(10, START);
        for (int i = 1; i <= 50; i++) {
            fed.progress(10 + i, START + i * 1_000L);
        }
        long end = START + StoreSettings.DEFAULT.historyWindow().toMillis();
        for (int i = 1; i <= 50; i++) {
            List<Bytes> _ = engine.takeBegins();
            fed.progress(60 + i, end + i * 1_000L);
            Bytes droppedBefore = KeyLayout.sample(START + (i - 2) * 1_000L);
            assertThat(engine.takeBegins()).allMatch(from -> from.compareTo(droppedBefore) >= 0);
        }
        assertThat(fed.at(end + 50_000).oldestMillis()).isEqualTo(START + 50_000);
    }

    @Test
    void heartbeatWithoutChangesSettlesAnAnswer() {
        one.list(10, START);
        one.progress(11, START + 250);
        assertThat(one.at(START + 900).settled()).isFalse();

        one.progress(11, START + 1250);

        assertThat(one.at(START + 900))
                .isEqualTo(new RevisionAtTime(OptionalLong.of(11), true, START));
    }

    @RepeatedTest(20)
    void replicasAgreeWithTheMarksAtAnyBrokerTimes(RepetitionInfo repetition) {
        long seed = Long.getLong("tidemark.seed", 0) + repetition.getCurrentRepetition();
        SplittableRandom random = new SplittableRandom(seed);
        Fed other = new Fed(new InMemoryEngine());
        TreeMap<Long, Long> marks = new TreeMap<>();
        long time = START;
        long revision = 10;
        one.list(revision, time);
        other.list(revision, time);
        marks.put(TimeSamples.slotOf(time, SLOT), revision);
        for (int i = 0; i < 300; i++) {
            time += random.nextInt(random.nextInt(10) == 0 ? 2000 : 60);
            revision += random.nextInt(3);
            one.mark(revision, Kind.PROGRESS, time, time + random.nextInt(1000));
            other.mark(revision, Kind.PROGRESS, time, time + random.nextInt(1000));
            marks.put(TimeSamples.slotOf(time, SLOT), revision);
        }
        for (int i = 0; i < 300; i++) {
            long asked = START + random.nextLong(time - START + 500);
            RevisionAtTime found = one.at(asked);
            assertThat(found).as("seed %d", seed).isEqualTo(other.at(asked));
            assertThat(found.revision())
                    .as("seed %d at %d", seed, asked)
                    .hasValue(marks.floorEntry(asked / SLOT * SLOT).getValue());
        }
    }

    @Test
    void usesTheBrokersTimeForAMarkWithoutAValidTime() {
        one.list(10, START);
        one.mark(11, Kind.PROGRESS, 0, START + 300);
        one.mark(12, Kind.PROGRESS, 5, START + 500);

        assertThat(one.at(START + 300).revision()).hasValue(11);
        assertThat(one.at(START + 500).revision()).hasValue(12);
    }

    @Test
    void forgetsTimesOutsideTheWindow() {
        one.list(10, START);
        long hour = Duration.ofHours(1).toMillis();
        for (int i = 1; i <= 8; i++) {
            clock.advance(Duration.ofHours(1));
            one.store.apply(Changes.put(POD, 10 + i, 0), one.offset++, START + i * hour);
            one.progress(10 + i, START + i * hour);
        }

        assertThat(one.store.state().floor()).isEqualTo(12);
        assertThat(one.at(START + hour).revision()).isEmpty();
        RevisionAtTime oldest = one.at(START + 2 * hour);
        assertThat(oldest.revision()).hasValue(12);
        assertThat(oldest.oldestMillis()).isEqualTo(START + 2 * hour);
    }

    @Test
    void doesNotAnswerForATimeBeforeAGap() {
        one.list(10, START);
        one.progress(11, START + 1_000);
        one.list(20, START + 2_000);

        assertThat(one.store.state().floor()).isEqualTo(20);
        RevisionAtTime before = one.at(START + 1_999);
        assertThat(before.revision()).isEmpty();
        assertThat(before.oldestMillis()).isEqualTo(START + 2_000);
        assertThat(one.at(START + 2_000).revision()).hasValue(20);
    }

    @Test
    void continuesWithItsSamplesAfterReopening() {
        InMemoryEngine engine = new InMemoryEngine();
        Fed first = new Fed(engine);
        first.list(10, START);
        first.progress(11, START + 500);
        first.store.flush();
        engine.crash();

        Fed again = new Fed(engine);
        again.offset = first.offset;
        again.progress(11, START + 900);
        again.progress(12, START + 1500);

        assertThat(again.at(START + 499).revision()).hasValue(10);
        assertThat(again.at(START + 1400).revision()).hasValue(11);
        assertThat(again.at(START + 1500).revision()).hasValue(12);
    }

    @Test
    void datesAVersionByTheFirstTimeThatShowsIt() {
        one.store.apply(Changes.mark(1, 10, Kind.LIST_BEGIN), 0, START);
        one.store.apply(Changes.listed(POD, 7), 1, START);
        one.offset = 2;
        one.mark(10, Kind.LIST_END, START, START);
        one.store.apply(Changes.put(POD, 11, 0), one.offset++, START + 230);
        one.progress(11, START + 240);
        one.store.apply(Changes.delete(POD, 12, 0), one.offset++, START + 700);
        one.progress(12, START + 701);

        VersionPage page =
                served(one.store.view().read(new VersionsRequest(Bytes.utf8(POD), 0, 12, 9, 9999)));

        assertThat(page.versions())
                .extracting(v -> v.revision() + " " + v.step() + " " + (v.timeMillis() - START))
                .isEqualTo(List.of("7 MODIFIED " + -START, "11 MODIFIED 300", "12 DELETED 800"));
        for (KeyVersion version : page.versions().subList(1, 3)) {
            assertThat(one.at(version.timeMillis()).revision()).hasValue(version.revision());
            assertThat(one.at(version.timeMillis() - 1).revision().orElseThrow())
                    .isLessThan(version.revision());
        }
    }

    /** The next version's time may be the same sample, one of the next, or far behind. */
    @Test
    void datesVersionsNearAndFar() {
        one.list(10, START);
        List<Integer> slots = List.of(1, 1, 2, 9, 17, 26, 60, 61, 90);
        long revision = 10;
        int slot = 0;
        List<String> expected = new ArrayList<>();
        for (int due : slots) {
            for (; slot < due - 1; slot++) {
                revision++;
                one.progress(revision, START + slot * SLOT + 50);
            }
            revision++;
            one.store.apply(Changes.put(POD, revision, 0), one.offset++, START + slot * SLOT + 60);
            one.progress(revision, START + slot * SLOT + 60);
            expected.add(revision + " " + due * SLOT);
        }
        VersionPage page =
                served(
                        one.store
                                .view()
                                .read(
                                        new VersionsRequest(
                                                Bytes.utf8(POD), 10, revision, 99, 99_999)));
        assertThat(page.versions())
                .extracting(v -> v.revision() + " " + (v.timeMillis() - START))
                .isEqualTo(expected);
    }
}
