package io.tidemark.connector.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.tidemark.etcd.WatchEvent;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdException.Kind;
import java.io.ByteArrayInputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TidemarkWatchTest {
    private static final WatchEvent.Created CREATED = new WatchEvent.Created(9, 7);
    private static final WatchEvent.End EXPIRED = new WatchEvent.Compacted(30);

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private volatile long now = 5;
    private final AtomicInteger stops = new AtomicInteger();
    private final AtomicInteger distrusts = new AtomicInteger();
    private final TidemarkWatch watch =
            new TidemarkWatch(
                    CREATED, () -> now, stops::incrementAndGet, distrusts::incrementAndGet);

    private WatchEvent next() throws InterruptedException {
        return watch.next(Duration.ZERO).orElseThrow();
    }

    private void read(String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        new WatchReader(new ByteArrayInputStream(body), 9, watch, _ -> EXPIRED).run();
    }

    private static String bookmark(long revision, String time) {
        return "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"%d\"}%s}}\n"
                .formatted(revision, time.isEmpty() ? "" : ",\"asOf\":\"" + time + '"');
    }

    @Test
    void tellsAsOfWhenWhatWasTakenIsTheState() throws Exception {
        read(
                bookmark(9, "")
                        + bookmark(10, "1970-01-01T00:00:02Z")
                        + bookmark(10, "1970-01-01T00:00:01Z"));
        assertThat(next()).isEqualTo(CREATED);
        assertThat(next()).isEqualTo(new WatchEvent.Progress(9));
        assertThat(watch.deliveredAsOfMillis()).hasValue(0);
        assertThat(next()).isEqualTo(new WatchEvent.Progress(10));
        assertThat(watch.deliveredAsOfMillis()).hasValue(2_000);
        assertThat(next()).isEqualTo(new WatchEvent.Progress(10));
        assertThat(watch.deliveredAsOfMillis()).hasValue(2_000);
    }

    @Test
    void theEndOfTheStreamIsAFailureThatStays() throws Exception {
        read("");
        assertThat(next()).isEqualTo(CREATED);
        WatchEvent end = next();
        assertThat(end)
                .asInstanceOf(type(WatchEvent.Failed.class))
                .extracting(failed -> failed.cause().kind())
                .isEqualTo(Kind.UNAVAILABLE);
        assertThat(next()).isSameAs(end);
        assertThat(stops).hasPositiveValue();
        assertThat(distrusts).hasValue(1);
        assertThat(watch.requestProgress()).isFalse();
    }

    @Test
    void whatIsNoLineEndsTheWatch() throws Exception {
        read("{\"type\":\"NEW\"}\n" + bookmark(10, ""));
        assertThat(next()).isEqualTo(CREATED);
        assertThat(next())
                .asInstanceOf(type(WatchEvent.Failed.class))
                .extracting(failed -> failed.cause().getMessage())
                .isEqualTo("the watch of the followed Tidemark broke: an event of no known type");
    }

    @Test
    void anErrorIsWhatItsCodeSays() throws Exception {
        read("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410}}\n");
        assertThat(next()).isEqualTo(CREATED);
        assertThat(next()).isEqualTo(EXPIRED);
        assertThat(distrusts).hasValue(0);
    }

    @Test
    void oneThatStandsStillIsGivenUp() throws Exception {
        long limit = TidemarkWatch.STANDSTILL.toNanos();
        assertThat(next()).isEqualTo(CREATED);
        now += limit;
        assertThat(watch.next(Duration.ZERO)).isEmpty();
        watch.advanced();
        now += limit;
        assertThat(watch.next(Duration.ZERO)).isEmpty();
        now++;
        assertThat(next())
                .asInstanceOf(type(WatchEvent.Failed.class))
                .extracting(failed -> failed.cause().getMessage())
                .isEqualTo("the followed Tidemark has sent nothing new for 15 s");
        assertThat(distrusts).hasValue(1);
    }

    @Test
    void repeatedBookmarksAreNothingNew() throws Exception {
        byte[] same = bookmark(9, "1970-01-01T00:00:02Z").getBytes(StandardCharsets.UTF_8);
        try (PipedOutputStream node = new PipedOutputStream();
                PipedInputStream body = new PipedInputStream(node)) {
            assertThat(next()).isEqualTo(CREATED);
            Thread reader =
                    Thread.startVirtualThread(new WatchReader(body, 9, watch, _ -> EXPIRED));
            for (int i = 0; i < 2; i++) {
                now += TidemarkWatch.STANDSTILL.toNanos() + 1;
                node.write(same);
                node.flush();
                assertThat(watch.next(PATIENCE)).contains(new WatchEvent.Progress(9));
            }
            assertThat(next()).isInstanceOf(WatchEvent.Failed.class);
            reader.interrupt();
        }
    }

    @Test
    void aClosedOneEnds() throws Exception {
        watch.close();
        assertThat(next()).isEqualTo(CREATED);
        assertThat(next())
                .asInstanceOf(type(WatchEvent.Failed.class))
                .extracting(WatchEvent.Failed::cause)
                .extracting(EtcdException::getMessage)
                .isEqualTo("the watch is closed");
        assertThat(distrusts).hasValue(0);
    }
}
