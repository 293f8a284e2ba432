package io.tidemark.connector.upstream;

import io.tidemark.connector.upstream.KeyValueDocuments.Bookmark;
import io.tidemark.connector.upstream.KeyValueDocuments.Changed;
import io.tidemark.connector.upstream.KeyValueDocuments.Refused;
import io.tidemark.etcd.WatchEvent;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the lines of one watch on a thread of it, and puts the events into its queue. */
final class WatchReader implements Runnable {
    /** Changes of more than this are passed on before their bookmark has come. */
    private static final long PART_BYTES = 1L << 20;

    private final BoundedLines lines;
    private final WholeRevisions revisions;
    private final TidemarkWatch watch;
    private final Function<EtcdException, WatchEvent.End> expired;
    private long asOfMillis;
    private long bookmark;

    /**
     * @param body of the watch
     * @param after the revision that it begins after
     * @param expired what a 410 means
     */
    WatchReader(
            InputStream body,
            long after,
            TidemarkWatch watch,
            Function<EtcdException, WatchEvent.End> expired) {
        this.lines = new BoundedLines(body);
        this.revisions = new WholeRevisions(after, PART_BYTES);
        this.watch = watch;
        this.expired = expired;
    }

    /** Ends with the stream, or when the thread is interrupted. */
    @Override
    public void run() {
        try {
            watch.put(readToEnd(), 0);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private WatchEvent.End readToEnd() throws InterruptedException {
        try {
            Optional<byte[]> line = lines.next();
            while (line.isPresent()) {
                Optional<WatchEvent.End> end = take(line.get());
                if (end.isPresent()) {
                    return end.get();
                }
                line = lines.next();
            }
            return failed("the followed Tidemark has ended the watch", null);
        } catch (IOException | EtcdException e) {
            return failed("the watch of the followed Tidemark broke: " + e.getMessage(), e);
        }
    }

    private static WatchEvent.End failed(String why, @Nullable Exception cause) {
        return new WatchEvent.Failed(new EtcdException(Kind.UNAVAILABLE, why, cause));
    }

    private Optional<WatchEvent.End> take(byte[] line) throws IOException, InterruptedException {
        switch (KeyValueDocuments.line(line)) {
            case Changed(var change) -> {
                watch.advanced();
                put(revisions.take(change));
            }
            case Bookmark told -> {
                if (told.revision() > bookmark || told.asOfMillis() > asOfMillis) {
                    watch.advanced();
                }
                bookmark = told.revision();
                asOfMillis = Math.max(asOfMillis, told.asOfMillis());
                put(revisions.take(told));
            }
            case Refused refused -> {
                EtcdException why =
                        new EtcdException(UpstreamClient.kind(refused), refused.message(), null);
                return Optional.of(
                        why.kind() == Kind.COMPACTED
                                ? expired.apply(why)
                                : new WatchEvent.Failed(why));
            }
        }
        return Optional.empty();
    }

    private void put(List<WatchEvent> events) throws InterruptedException {
        for (WatchEvent event : events) {
            watch.put(event, asOfMillis);
        }
    }
}
