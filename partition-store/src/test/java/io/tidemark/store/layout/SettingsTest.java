package io.tidemark.store.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.store.layout.IndexSettings.Field;
import io.tidemark.view.object.StoredObject;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private static final Bytes PODS = Bytes.utf8("/registry/pods/");
    private static final Bytes NODES = Bytes.utf8("/registry/nodes/");
    private static final Bytes POD = Bytes.utf8("/registry/pods/x/a");

    @ParameterizedTest
    @CsvSource({"0, 1, 1", "-1, 1, 1", "1, 0, 1", "1, -1, 1", "1, 1, 0"})
    void refusesEmptyBounds(long window, long lag, long bytes) {
        assertThatThrownBy(() -> settings(window, lag, bytes))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(settings(1, 1, 1).maxHistoryBytes()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "431999, 1", "432000, 2", "21600000, 100"})
    void dividesTheWindowIntoSlots(long windowMillis, long slot) {
        assertThat(TimeSamples.slotMillis(settings(windowMillis, 1, 1))).isEqualTo(slot);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 100", "100, 100", "101, 200"})
    void theEndOfASlotBelongsToIt(long time, long slot) {
        assertThat(TimeSamples.slotOf(time, 100)).isEqualTo(slot);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\0b", "\0"})
    void refusesFieldsThatAnIndexCannotHold(String name) {
        assertThatThrownBy(() -> new Field(PODS, name))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ordersFieldsInAStableWay() {
        IndexSettings settings =
                new IndexSettings(
                        Set.of(
                                new Field(PODS, "spec.b"),
                                new Field(PODS, "spec.a"),
                                new Field(NODES, "spec.c")));
        assertThat(settings.ordered())
                .containsExactly(
                        new Field(NODES, "spec.c"),
                        new Field(PODS, "spec.a"),
                        new Field(PODS, "spec.b"));
        assertThat(settings.ordered())
                .extracting(Field::label)
                .containsExactly("f:spec.c", "f:spec.a", "f:spec.b");
    }

    @Test
    void indexesFieldsOfCoveredObjects() {
        Field node = new Field(PODS, "spec.nodeName");
        assertThat(node.indexedValue(pod("n1"))).isEqualTo("n1");
        assertThat(node.indexedValue(null)).isNull();
        assertThat(new Field(NODES, "spec.nodeName").indexedValue(pod("n1"))).isNull();
        assertThat(node.indexedValue(pod("n".repeat(512)))).hasSize(512);
        assertThat(node.indexedValue(pod("n".repeat(513)))).isNull();
    }

    @Test
    void historyCostsItsKeyTwiceAndTheVersionThatItKeeps() {
        HistoryEntry replaced = new HistoryEntry(false, 9, 100, Bytes.utf8("key"));
        assertThat(replaced.cost()).isEqualTo(64 + 2 * 3 + 100);
        assertThat(replaced.hasPrevious()).isTrue();
        assertThat(HistoryEntry.decode(replaced.encode().array())).isEqualTo(replaced);
        assertThat(new HistoryEntry(true, 0, 0, Bytes.utf8("key")).hasPrevious()).isFalse();
    }

    @Test
    void aNewStoreHasNoState() {
        FoldState state = FoldState.decode(null);
        assertThat(state.isReadable()).isFalse();
        assertThat(state.appliedOffset).isEqualTo(-1);
        assertThat(state.lacksList()).isFalse();
    }

    @Test
    void noStateIsKnownStrictlyInsideABridgedGap() {
        FoldState state = new FoldState();
        state.beginList(1, 10, 0);
        assertThat(state.isReadable()).isFalse();
        state.endList();
        assertThat(state.isReadable()).isTrue();
        state.bridgeGap(20);
        assertThat(state.isInGap(10)).isFalse();
        assertThat(state.isInGap(11)).isTrue();
        assertThat(state.isInGap(19)).isTrue();
        assertThat(state.isInGap(20)).isFalse();
        assertThat(state.floor).isEqualTo(10);
        state.bridgeGap(30);
        assertThat(state.floor).isEqualTo(20);
        state.floor = 31;
        assertThat(state.isReadable()).isFalse();
        assertThat(state.publish(true).floor()).as("not above the watermark").isEqualTo(30);
    }

    @Test
    void keepsEpochAndOffsetWhenRecordsWereLost() {
        FoldState state = complete();
        state.invalidate();
        assertThat(state.epoch).isEqualTo(3);
        assertThat(state.appliedOffset).isEqualTo(77);
        assertThat(state.lacksList()).isTrue();
        assertThat(state.watermark).isZero();
        assertThat(state.floor).isZero();
        assertThat(state.listOffset).isEqualTo(-1);
        assertThat(state.isReadable()).isFalse();
    }

    @Test
    void aResetStateIsThatOfANewStore() {
        FoldState state = complete();
        state.connector = "http://c";
        state.clusterId = 5;
        state.tideMillis = 6;
        state.newestTimeMillis = 7;
        state.markTimeMillis = 8;
        state.historyBytes = 9;
        state.unreadable = 1;
        state.reset();
        assertThat(state.encode()).isEqualTo(new FoldState().encode());
    }

    private static FoldState complete() {
        FoldState state = new FoldState();
        state.beginList(3, 10, 70);
        state.endList();
        state.bridgeGap(20);
        state.appliedOffset = 77;
        return state;
    }

    private static StoreSettings settings(long windowMillis, long lagMillis, long bytes) {
        return new StoreSettings(
                Duration.ofMillis(windowMillis),
                bytes,
                Duration.ofMillis(lagMillis),
                IndexSettings.DEFAULT);
    }

    private static StoredObject pod(String node) {
        return StoredObject.encode(
                POD,
                Bytes.utf8("{}"),
                ContentType.KUBERNETES_JSON,
                9,
                1,
                1,
                0,
                "",
                Map.of("app", "x"),
                Map.of("spec.nodeName", node),
                0);
    }
}
