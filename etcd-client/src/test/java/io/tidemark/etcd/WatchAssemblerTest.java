package io.tidemark.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.rpc.Rpc;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchAssemblerTest {
    private static final long MAX_HELD_BYTES = 1000;

    private final WatchAssembler watch =
            new WatchAssembler(10, ProgressSupport.MANUAL, MAX_HELD_BYTES);

    @Test
    void deliversWholeRevisionsOfAResponseInOrder() {
        assertThat(keys(watch.accept(changes(20, false, put("a", 10), put("b", 11), put("c", 11)))))
                .containsExactly("a@10", "b@11", "c@11");
    }

    @Test
    void theRevisionOfAResponseWithChangesIsNotProgress() {
        watch.accept(changes(99, false, put("a", 10)));
        assertThat(keys(watch.accept(changes(99, false, put("b", 11))))).containsExactly("b@11");
    }

    @Test
    void holdsBackTheLastRevisionOfAFragment() {
        assertThat(keys(watch.accept(changes(20, true, put("a", 10), put("b", 11)))))
                .containsExactly("a@10");
        assertThat(watch.accept(changes(20, true, put("c", 11)))).isNull();
        WatchEvent last = watch.accept(changes(20, false, put("d", 11), put("e", 12)));
        assertThat(keys(last)).containsExactly("b@11", "c@11", "d@11", "e@12");
        assertThat(((WatchEvent.Changes) last).throughRevision()).isEqualTo(12);
    }

    @Test
    void deliversAHugeRevisionInParts() {
        List<String> keys = new ArrayList<>();
        int parts = 0;
        watch.accept(changes(20, true, put("before", 10)));
        for (int i = 0; i < 1_000; i++) {
            boolean last = i == 999;
            WatchEvent event = watch.accept(changes(20, !last, put("key" + i, 11)));
            if (event instanceof WatchEvent.Changes changes) {
                parts++;
                keys.addAll(keys(changes));
                assertThat(changes.isWhole()).as("at %d", i).isEqualTo(last || i == 0);
                assertThat(changes.throughRevision()).isEqualTo(last ? 11 : 10);
                assertThat(watch.accept(progressResponse(-1, 20)) == null).isEqualTo(!last);
            }
        }
        assertThat(parts).isGreaterThan(10);
        assertThat(keys).hasSize(1_001).doesNotHaveDuplicates().startsWith("before@10", "key0@11");
    }

    @Test
    void completesARevisionInPartsWhenALaterOneBegins() {
        String large = "x".repeat((int) MAX_HELD_BYTES);
        watch.accept(changes(20, true, put(large, 10)));
        WatchEvent event = watch.accept(changes(20, true, put("a", 10), put("b", 11)));
        assertThat(keys(event)).containsExactly("a@10");
        assertThat(((WatchEvent.Changes) event).isWhole()).isTrue();
        assertThat(watch.accept(changes(20, false, put(large, 10)))).isNotNull();
    }

    @Test
    void dropsRepeatedAndTooOldChanges() {
        assertThat(watch.accept(changes(9, false, put("early", 9)))).isNull();
        watch.accept(changes(12, false, put("a", 10), put("b", 12)));
        assertThat(keys(watch.accept(changes(13, false, put("a", 10), put("b", 12), put("c", 13)))))
                .containsExactly("c@13");
    }

    @Test
    void progressNeverGoesBack() {
        assertThat(watch.accept(progressResponse(0, 8))).isNull();
        watch.accept(changes(12, false, put("a", 12)));
        assertThat(watch.accept(progressResponse(0, 11))).isNull();
        assertThat(watch.accept(progressResponse(0, 15))).isEqualTo(new WatchEvent.Progress(15));
        assertThat(watch.accept(progressResponse(0, 14))).isNull();
        assertThat(watch.accept(progressResponse(0, 15))).isEqualTo(new WatchEvent.Progress(15));
    }

    @Test
    void ignoresProgressWithinARevision() {
        watch.accept(changes(20, true, put("a", 10)));
        assertThat(watch.accept(progressResponse(-1, 20))).isNull();
    }

    @Test
    void trustsProgressRepliesOnlyFromCorrectVersions() {
        WatchAssembler old = new WatchAssembler(10, ProgressSupport.PERIODIC, MAX_HELD_BYTES);
        assertThat(old.accept(progressResponse(-1, 20))).isNull();
        assertThat(old.accept(progressResponse(0, 20))).isEqualTo(new WatchEvent.Progress(20));
        assertThat(watch.accept(progressResponse(-1, 20))).isEqualTo(new WatchEvent.Progress(20));
    }

    @Test
    void endsTheWatchWhenAChangeIsBelowReportedProgress() {
        watch.accept(progressResponse(0, 20));
        assertThat(watch.accept(changes(21, false, put("a", 18))))
                .isInstanceOfSatisfying(
                        WatchEvent.Failed.class,
                        failed ->
                                assertThat(failed.cause())
                                        .hasMessageContaining("18")
                                        .hasMessageContaining("20"));
    }

    @Test
    void creationIsNotProgressUnlessTheWatchStartsNow() {
        Rpc.WatchResponse created = answer(7).setCreated(true).build();
        assertThat(watch.accept(created)).isEqualTo(new WatchEvent.Created(7, 5));
        WatchAssembler now = new WatchAssembler(0, ProgressSupport.MANUAL, MAX_HELD_BYTES);
        now.accept(created);
        assertThat(now.accept(changes(8, false, put("old", 7)))).isNull();
        assertThat(keys(now.accept(changes(8, false, put("new", 8))))).containsExactly("new@8");
    }

    @Test
    void reportsTheReasonOfACancellation() {
        assertThat(watch.accept(answer(50).setCanceled(true).setCompactRevision(40).build()))
                .isEqualTo(new WatchEvent.Compacted(40));
        WatchEvent refused =
                watch.accept(
                        answer(50)
                                .setCanceled(true)
                                .setCancelReason("etcdserver: permission denied")
                                .build());
        assertThat(((WatchEvent.Failed) refused).cause().kind()).isEqualTo(EtcdException.Kind.AUTH);
    }

    private static Rpc.WatchResponse.Builder answer(long revision) {
        return Rpc.WatchResponse.newBuilder()
                .setHeader(Rpc.ResponseHeader.newBuilder().setRevision(revision).setClusterId(5));
    }

    private static Rpc.WatchResponse progressResponse(long watchId, long revision) {
        return answer(revision).setWatchId(watchId).build();
    }

    private static Rpc.WatchResponse changes(long revision, boolean fragment, Rpc.Event... events) {
        return answer(revision).setFragment(fragment).addAllEvents(List.of(events)).build();
    }

    private static Rpc.Event put(String key, long revision) {
        return Rpc.Event.newBuilder()
                .setKv(
                        Rpc.KeyValue.newBuilder()
                                .setKey(ByteString.copyFromUtf8(key))
                                .setModRevision(revision))
                .build();
    }

    private static List<String> keys(WatchEvent event) {
        return ((WatchEvent.Changes) event)
                .changes().stream()
                        .map(change -> change.key().utf8() + "@" + change.revision())
                        .toList();
    }
}
