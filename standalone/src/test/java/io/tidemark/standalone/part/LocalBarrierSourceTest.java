package io.tidemark.standalone.part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connector.http.Barriers;
import io.tidemark.serving.freshness.Barrier;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LocalBarrierSourceTest {
    private static final String OWN = "http://127.0.0.1:1";

    private final CompletableFuture<Barriers.Barrier> own = new CompletableFuture<>();
    private final LocalBarrierSource source =
            new LocalBarrierSource(() -> OWN, () -> own, _ -> new Barrier(7, 70));

    @Test
    void asksTheConnectorOfThisProcessWithoutHttp() throws Exception {
        CompletableFuture<Barrier> begun = source.begin(OWN);
        assertThat(begun).isNotDone();
        own.complete(new Barriers.Barrier(4, 40));
        assertThat(begun).isCompletedWithValue(new Barrier(4, 40));
        assertThat(source.take(OWN)).isEqualTo(new Barrier(4, 40));
    }

    @Test
    void asksAnotherLeaderOverHttp() throws Exception {
        String other = "http://127.0.0.1:2";
        assertThat(source.begin(other).get(3, TimeUnit.MINUTES)).isEqualTo(new Barrier(7, 70));
        assertThat(source.take(other)).isEqualTo(new Barrier(7, 70));
        assertThat(own).isNotDone();
    }

    @Test
    void passesTheReasonOfAFailureOn() {
        own.completeExceptionally(new IOException("etcd is away"));
        var barriers = new io.tidemark.serving.freshness.Barriers(source, () -> OWN);
        assertThat(barriers.take().exceptionNow()).hasMessage("etcd is away");
        assertThatThrownBy(() -> source.take(OWN))
                .isInstanceOf(IOException.class)
                .hasMessage("etcd is away");
    }
}
