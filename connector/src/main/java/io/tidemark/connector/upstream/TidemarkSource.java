package io.tidemark.connector.upstream;

import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.connector.upstream.UpstreamClient.Answer;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.ProgressSupport;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.WatchEvent;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdException.Kind;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@link EtcdSource} with another Tidemark, which keeps the promises that a connector
 * relies on: a list is one revision of etcd, a read without a revision is linearizable, and a watch
 * delivers every change once, in etcd's order. Its history stands for what etcd has not compacted.
 */
public final class TidemarkSource implements EtcdSource {
    private final UpstreamClient client;
    private final Bytes prefix;
    private final String range;

    /** History of the last {@link #view}; empty before. */
    private volatile OptionalLong viewed = OptionalLong.empty();

    /**
     * @throws IllegalArgumentException when a file of the options cannot be used; the message is a
     *     sentence
     */
    public TidemarkSource(UpstreamOptions options, Bytes prefix) {
        this(new UpstreamClient(options, UpstreamClient.MAX_ANSWER_BYTES), prefix);
    }

    TidemarkSource(UpstreamClient client, Bytes prefix) {
        this.client = client;
        this.prefix = prefix;
        this.range = "prefix=true&key=" + encoded(prefix);
    }

    @Override
    public EtcdView view() {
        Newest newest = newest();
        viewed = OptionalLong.of(newest.clusterId());
        return new EtcdView(
                newest.clusterId(), newest.revision(), "a Tidemark", ProgressSupport.MANUAL);
    }

    @Override
    public Newest newest() {
        Answer<byte[]> answer = newestList();
        return new Newest(answer.history().id(), page(answer).revision());
    }

    @Override
    public long oldestRevision() {
        return oldest(newestList());
    }

    private Answer<byte[]> newestList() {
        return client.get(range + "&values=false&limit=1");
    }

    private static long oldest(Answer<?> answer) {
        return Math.max(1, answer.number("X-Tidemark-Floor"));
    }

    @Override
    public RangePage list(Bytes fromKeyInclusive, long revision, int limit) {
        return list(fromKeyInclusive, revision, limit, "");
    }

    @Override
    public RangePage listKeys(Bytes fromKeyInclusive, long revision, int limit) {
        return list(fromKeyInclusive, revision, limit, "&values=false");
    }

    private RangePage list(Bytes from, long revision, int limit, String values) {
        Bytes begin = from.compareTo(prefix) > 0 ? from : prefix;
        String query =
                "%s&from=%s&limit=%d&resourceVersion=%d&resourceVersionMatch=Exact%s"
                        .formatted(range, encoded(begin), limit, revision, values);
        Answer<byte[]> answer;
        try {
            answer = client.get(query);
        } catch (EtcdException e) {
            throw e.kind() == Kind.UNAVAILABLE && newest().revision() < revision
                    ? new EtcdException(Kind.FUTURE_REVISION, String.valueOf(e.getMessage()), e)
                    : e;
        }
        long history = answer.history().id();
        OptionalLong expected = viewed;
        if (expected.isPresent() && expected.getAsLong() != history) {
            throw new EtcdException(
                    Kind.UNAVAILABLE,
                    "a page came from history %x, but the list is of history %x"
                            .formatted(history, expected.getAsLong()),
                    null);
        }
        KeyValueDocuments.Page page = page(answer);
        long following = page.more() ? Math.max(1, page.remaining()) : 0;
        return new RangePage(
                page.items(),
                page.more(),
                page.items().size() + following,
                page.revision(),
                history);
    }

    private static KeyValueDocuments.Page page(Answer<byte[]> answer) {
        try {
            return KeyValueDocuments.page(answer.response().body());
        } catch (IOException e) {
            throw new EtcdException(
                    Kind.OTHER,
                    "%s sent what no Tidemark sends: %s"
                            .formatted(answer.endpoint(), e.getMessage()),
                    e);
        }
    }

    @Override
    public EtcdWatch watch(long revision) {
        // etcd has nothing at revision 1, and 0 would ask for the newest state.
        long after = Math.max(1, revision);
        String query =
                range
                        + "&watch=true&allowWatchBookmarks=true&watchBookmarkFrequency=0s"
                        + "&timeoutSeconds=%d&resourceVersion=%d"
                                .formatted(Integer.MAX_VALUE, after);
        Answer<InputStream> answer;
        try {
            answer = client.stream(query);
        } catch (EtcdException e) {
            if (e.kind() != Kind.COMPACTED) {
                throw e;
            }
            Answer<byte[]> newest = newestList();
            return TidemarkWatch.refused(
                    new WatchEvent.Created(page(newest).revision(), newest.history().id()),
                    expired(oldest(newest), after, e));
        }
        WatchEvent.Created created;
        try {
            created =
                    new WatchEvent.Created(
                            answer.number("X-Tidemark-Revision"), answer.history().id());
        } catch (EtcdException e) {
            stop(answer.response().body(), null);
            throw e;
        }
        return reading(created, answer, after);
    }

    private EtcdWatch reading(WatchEvent.Created created, Answer<InputStream> answer, long after) {
        InputStream body = answer.response().body();
        AtomicReference<Thread> thread = new AtomicReference<>();
        TidemarkWatch watch =
                new TidemarkWatch(
                        created,
                        System::nanoTime,
                        () -> stop(body, thread.get()),
                        () -> client.distrust(answer.endpoint()));
        WatchReader reader =
                new WatchReader(body, after, watch, why -> expired(oldestRevision(), after, why));
        thread.set(Thread.ofVirtual().name("upstream-watch").start(reader));
        return watch;
    }

    private static void stop(InputStream body, @Nullable Thread reader) {
        try {
            body.close();
        } catch (IOException _) {
            // It is not read any more.
        }
        if (reader != null) {
            reader.interrupt();
        }
    }

    /** A 410 is the answer to a watch of another history, too. */
    private static WatchEvent.End expired(long floor, long after, EtcdException why) {
        return floor > after
                ? new WatchEvent.Compacted(floor)
                : new WatchEvent.Failed(
                        new EtcdException(Kind.UNAVAILABLE, String.valueOf(why.getMessage()), why));
    }

    /** Every byte that is not a letter or digit as %XX. */
    private static String encoded(Bytes key) {
        StringBuilder text = new StringBuilder();
        for (byte each : key.array()) {
            boolean plain =
                    (each >= 'a' && each <= 'z')
                            || (each >= 'A' && each <= 'Z')
                            || (each >= '0' && each <= '9');
            text.append(
                    plain
                            ? new String(new byte[] {each}, StandardCharsets.US_ASCII)
                            : "%%%02X".formatted(each & 0xff));
        }
        return text.toString();
    }

    @Override
    public void close() {
        client.close();
    }
}
