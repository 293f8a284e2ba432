package io.tidemark.serving.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.testing.StoredObjects;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ObjectChange;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The windows of any number of dispatchers stay within the budget. */
class WindowBudgetTest {
    private static final long EPOCH = 1;
    private static final WatchLimits LIMITS =
            new WatchLimits(10, 1_000, 40_000, 10, 1 << 20, new PageLimits(10, 1 << 20));
    private static final WatchFilter ALL =
            new WatchFilter(
                    KeyScope.prefix(Bytes.utf8("/")), Selection.ALL, WatchFilter.WITHOUT_VERSIONS);

    private final WindowBudget budget = new WindowBudget(LIMITS.windowBytes());
    private final EventDemux demux = new EventDemux(LIMITS, budget);

    @Test
    void givesTheWholeBudgetToASingleDispatcher() {
        budget.enter();
        demux.restart(EPOCH, 0);
        post(1, 10);
        assertThat(demux.join(ALL, EPOCH, 0)).isPresent();
        post(11, 40);
        assertThat(demux.join(ALL, EPOCH, 0)).isEmpty();
        assertThat(demux.join(ALL, EPOCH, 35)).isPresent();
    }

    @Test
    void dividesTheBudgetAmongDispatchers() {
        budget.enter();
        demux.restart(EPOCH, 0);
        post(1, 10);
        for (int i = 0; i < 9; i++) {
            budget.enter();
        }
        post(11, 11);
        assertThat(demux.join(ALL, EPOCH, 5)).isEmpty();
        assertThat(demux.join(ALL, EPOCH, 10)).isPresent();
        for (int i = 0; i < 9; i++) {
            budget.leave();
        }
        post(12, 20);
        assertThat(demux.join(ALL, EPOCH, 10)).isPresent();
    }

    private void post(int from, int through) {
        for (int revision = from; revision <= through; revision++) {
            demux.publish(new ChangePage(List.of(change(revision)), revision));
        }
    }

    /** A change of about 1,300 bytes of memory. */
    private static ObjectChange change(int revision) {
        String json =
                "{\"metadata\":{\"resourceVersion\":\"%d\"},\"data\":\"%s\"}"
                        .formatted(revision, "x".repeat(900));
        StoredObject object = StoredObjects.of("/a", revision, json);
        return new ObjectChange(revision, 0, object.key(), object, null);
    }
}
