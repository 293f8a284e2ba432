package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.view.request.ReadOutcome.Served;
import io.tidemark.view.request.UnreadablePage;
import io.tidemark.view.request.UnreadableRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The index of keys whose values are unreadable. */
class UnreadableKeysTest extends StoreFixture {
    private List<String> unreadable(String prefix, int max) {
        if (store.view().read(new UnreadableRequest(Bytes.utf8(prefix), max))
                instanceof Served<UnreadablePage>(UnreadablePage page)) {
            List<String> texts = new ArrayList<>();
            page.keys().forEach(key -> texts.add(key.key().utf8() + " " + key.reason()));
            if (page.more()) {
                texts.add("more");
            }
            return texts;
        }
        return List.of("none");
    }

    @Test
    void countsUnreadableKeysUntilTheyAreReadable() {
        apply(
                Changes.begin(10),
                Changes.unreadable("p/a", 5, true, "broken"),
                Changes.unreadable("q", 6, true, "empty"),
                Changes.listed("p/b", 7),
                Changes.end(10));
        assertThat(store.state().unreadable()).isEqualTo(2);
        assertThat(unreadable("", 9)).containsExactly("p/a broken", "q empty");

        apply(
                Changes.unreadable("p/b", 11, false, "x".repeat(1000)),
                Changes.unreadable("p/a", 12, false, "still broken"),
                Changes.delete("q", 13, 0),
                Changes.progress(13));
        assertThat(store.state().unreadable()).isEqualTo(2);
        assertThat(unreadable("p/", 1)).containsExactly("p/a still broken", "more");
        assertThat(unreadable("p/b", 9)).containsExactly("p/b " + "x".repeat(256));
        assertThat(unreadable("q", 9)).isEmpty();

        store = open(1 << 20);
        assertThat(store.state().unreadable()).isEqualTo(2);
        apply(Changes.put("p/a", 14, 0), Changes.delete("p/b", 15, 0), Changes.progress(15));
        assertThat(store.state().unreadable()).isZero();
        assertThat(unreadable("", 9)).isEmpty();
    }

    /**
     * Found by the simulation, seed 1014933: a restored topic ended with changes without a mark.
     */
    @Test
    void countsUnreadableKeysOnceReadersFindThem() {
        store =
                PartitionStore.open(
                        3,
                        engine,
                        new StoreSettings(LAG, 1 << 20, LAG, IndexSettings.DEFAULT),
                        clock,
                        ReadExecutor.DIRECT,
                        true);
        apply(Changes.begin(10), Changes.end(10), Changes.unreadable("a", 11, false, "broken"));
        store.markCaughtUp();
        assertThat(store.state().ready()).isTrue();
        assertThat(unreadable("", 9)).isEmpty();
        assertThat(store.state().unreadable()).isZero();

        store.write();
        assertThat(unreadable("", 9)).containsExactly("a broken");
        assertThat(store.state().unreadable()).isEqualTo(1);
    }

    @Test
    void newListForgetsUnreadableKeys() {
        apply(Changes.begin(10), Changes.unreadable("a", 5, true, "broken"), Changes.end(10));
        apply(Changes.mark(2, 20, Kind.LIST_BEGIN), Changes.mark(2, 20, Kind.LIST_END));
        assertThat(store.state().unreadable()).isZero();
        assertThat(unreadable("", 9)).isEmpty();
    }

    /** The object was put before its metadata was found to be unreadable, and the store failed. */
    @Test
    void anEscapedResourceVersionIsUnreadable() {
        String json = "{\"metadata\":{\"name\":\"n\",\"resourceV\\u0065rsion\":\"11\"}}";
        apply(
                Changes.begin(10),
                Changes.end(10),
                Changes.put(1, Bytes.utf8("a"), 11, 0, false, json),
                Changes.progress(11));

        assertThat(unreadable("", 9)).containsExactly("a metadata.resourceVersion is not \"11\"");
    }
}
