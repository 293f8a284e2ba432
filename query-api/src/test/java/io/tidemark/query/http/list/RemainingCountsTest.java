package io.tidemark.query.http.list;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.wire.ListOptions;
import io.tidemark.query.wire.Parameters;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.view.object.Selection;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RemainingCountsTest {
    private static final Bytes PODS = Bytes.utf8("/registry/pods/");

    private final RemainingCounts counts = new RemainingCounts();

    private static ListQuery pods(String shard, String token) {
        return new ListQuery(
                KeyScope.collection(PODS),
                Bytes.EMPTY,
                PODS,
                ContinueKeyCodec.PATHS,
                Selection.OBJECTS,
                ListOptions.parse(Parameters.parse("continue=" + token)),
                "application/json",
                () -> {
                    throw new AssertionError("nothing is encoded");
                },
                "pods",
                Optional.empty(),
                shard);
    }

    @Test
    void countsAPageByThePageBefore() {
        counts.put(pods("", ""), "second", 10);
        assertThat(counts.after(pods("", "second"), true, "third", 4)).isEqualTo(6);
        assertThat(counts.after(pods("", "second"), false, "third", 4))
                .isEqualTo(RemainingCounts.UNKNOWN);
    }

    /** A page of a shard can end at the same key and revision as one of all objects. */
    @Test
    void countsTheRestOfAShardForThatShardOnly() {
        counts.put(pods("shardRange(a)", ""), "second", RemainingCounts.TOO_MANY);
        assertThat(counts.areTooMany(pods("shardRange(a)", "second"))).isTrue();
        assertThat(counts.areTooMany(pods("shardRange(b)", "second"))).isFalse();
        assertThat(counts.after(pods("", ""), false, "second", 1))
                .isEqualTo(RemainingCounts.UNKNOWN);
    }
}
