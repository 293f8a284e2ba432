package io.tidemark.connector.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connector.upstream.KeyValueDocuments.Bookmark;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.WatchEvent;
import io.tidemark.etcd.WatchEvent.Changes;
import io.tidemark.etcd.WatchEvent.Progress;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WholeRevisionsTest {
    private static final long NEVER = Long.MAX_VALUE;

    /** Two changes fill it. */
    private static final long TWO = 2 * change("a", 1).size();

    private static KeyChange change(String key, long revision) {
        return new KeyChange.Delete(Bytes.utf8(key), revision, null);
    }

    @Test
    void changesWaitForTheBookmarkThatShowsThemWhole() throws Exception {
        WholeRevisions revisions = new WholeRevisions(4, NEVER);
        assertThat(revisions.take(new Bookmark(4, 0))).containsExactly(new Progress(4));
        assertThat(revisions.take(change("a", 5))).isEmpty();
        assertThat(revisions.take(change("b", 5))).isEmpty();
        assertThat(revisions.take(change("c", 7))).isEmpty();
        List<KeyChange> all = List.of(change("a", 5), change("b", 5), change("c", 7));
        assertThat(revisions.take(new Bookmark(8, 0)))
                .containsExactly(new Changes(all, 7, 7), new Progress(8));
        assertThat(revisions.take(new Bookmark(8, 0))).containsExactly(new Progress(8));
    }

    @Test
    void manyChangesArePassedOnBeforeTheBookmark() throws Exception {
        WholeRevisions revisions = new WholeRevisions(4, TWO);
        assertThat(revisions.take(change("a", 5))).isEmpty();
        assertThat(revisions.take(change("a", 6))).isEmpty();
        List<KeyChange> first = List.of(change("a", 5), change("a", 6));
        assertThat(revisions.take(change("a", 7))).containsExactly(new Changes(first, 6, 6));
        assertThat(revisions.take(new Bookmark(7, 0)))
                .containsExactly(new Changes(List.of(change("a", 7)), 7, 7), new Progress(7));
    }

    @Test
    void aLargeRevisionIsPassedOnInPartsOfWhichOnlyTheLastEndsIt() throws Exception {
        WholeRevisions revisions = new WholeRevisions(4, TWO);
        assertThat(revisions.take(change("a", 5))).isEmpty();
        assertThat(revisions.take(change("b", 5))).isEmpty();
        Changes part = (Changes) revisions.take(change("c", 5)).getFirst();
        assertThat(part.isWhole()).isFalse();
        assertThat(part.throughRevision()).isEqualTo(4);
        Changes last = (Changes) revisions.take(new Bookmark(5, 0)).getFirst();
        assertThat(last.isWhole()).isTrue();
    }

    @Test
    void nothingIsLostOrTornInAnyOrderOfEvents() throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        for (int run = 0; run < 300; run++) {
            WholeRevisions revisions = new WholeRevisions(1, random.nextLong(1, 5 * TWO));
            List<KeyChange> sent = new ArrayList<>();
            List<KeyChange> got = new ArrayList<>();
            long revision = 1;
            for (int step = 0; step < 50; step++) {
                revision += random.nextInt(1, 3);
                for (int i = random.nextInt(1, 6); i > 0; i--) {
                    KeyChange change = change("k" + i, revision);
                    sent.add(change);
                    collect(revisions.take(change), got, revision);
                }
                if (random.nextInt(3) == 0) {
                    List<WatchEvent> told = revisions.take(new Bookmark(revision, 0));
                    collect(told, got, revision + 1);
                    assertThat(got).isEqualTo(sent);
                }
            }
        }
    }

    /** All that is passed on as whole lies below a revision of which more may come. */
    private static void collect(List<WatchEvent> told, List<KeyChange> got, long open) {
        for (WatchEvent event : told) {
            if (event instanceof Changes changes) {
                got.addAll(changes.changes());
                assertThat(changes.throughRevision()).isLessThan(open);
            }
        }
    }

    @Test
    void refusesWhatIsOutOfOrder() throws Exception {
        assertThatThrownBy(() -> new WholeRevisions(4, NEVER).take(change("a", 4)))
                .isInstanceOf(IOException.class)
                .hasMessage("a change at revision 4 after revision 4");
        WholeRevisions revisions = new WholeRevisions(4, NEVER);
        assertThat(revisions.take(change("a", 6))).isEmpty();
        assertThatThrownBy(() -> revisions.take(change("a", 5))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> revisions.take(new Bookmark(5, 0)))
                .isInstanceOf(IOException.class);
    }
}
