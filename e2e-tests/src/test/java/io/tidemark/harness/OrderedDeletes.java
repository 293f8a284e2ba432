package io.tidemark.harness;

import io.tidemark.http.testing.RawHttp;
import io.tidemark.http.testing.RawResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One client that watches until all objects were deleted, and reports errors: it must get every
 * DELETED once, in etcd's order, at one revision, with nothing in between.
 */
public final class OrderedDeletes {
    private static final long LAGGING_MILLIS = 600;

    /**
     * Bounds what the kernel holds for an unread connection. With its default of several megabytes
     * a hundred of them exhaust the kernel's memory for TCP, and it resets connections.
     */
    private static final RawHttp.Options OPTIONS =
            RawHttp.Options.DEFAULT
                    .withReceiveBuffer(128 << 10)
                    .withSilence(Duration.ofMinutes(10));

    private final String url;
    private final List<String> names;
    private final CountDownLatch mayRead;

    /**
     * @param names in etcd's order
     * @param mayRead until it is released, the client reads less than two lines a second
     */
    public OrderedDeletes(String url, List<String> names, CountDownLatch mayRead) {
        this.url = url;
        this.names = names;
        this.mayRead = mayRead;
    }

    /**
     * @param opened counted down when the watch is established
     * @return what is wrong, empty when nothing is
     */
    public String run(CountDownLatch opened) throws IOException, InterruptedException {
        URI uri = URI.create(url);
        try (RawHttp connection = RawHttp.connect(url, OPTIONS)) {
            connection.get(uri.getRawPath() + "?" + uri.getRawQuery());
            RawResponse watch = connection.response();
            if (watch.status() != 200) {
                return "the watch was refused: " + watch.status();
            }
            BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader(watch.body(), StandardCharsets.ISO_8859_1));
            opened.countDown();
            String revision = "";
            for (int i = 0; i < names.size(); i++) {
                // Not silent: a node disconnects a client that reads nothing for 5 minutes.
                boolean _ = mayRead.await(LAGGING_MILLIS, TimeUnit.MILLISECONDS);
                String line = lines.readLine();
                if (line == null) {
                    return "the stream ended before deletion %d".formatted(i);
                }
                String found = memberOf(line, "name");
                String at = memberOf(line, "resourceVersion");
                revision = i == 0 ? at : revision;
                if (!line.startsWith("{\"type\":\"DELETED\"")
                        || !found.equals(names.get(i))
                        || !at.equals(revision)) {
                    return "deletion %d at %s is not %s at %s: %s"
                            .formatted(i, at, names.get(i), revision, shortened(line));
                }
            }
            return "";
        }
    }

    private static String memberOf(String line, String member) {
        String before = "\"" + member + "\":\"";
        int from = line.indexOf(before);
        return from < 0
                ? ""
                : line.substring(from + before.length(), line.indexOf('"', from + before.length()));
    }

    private static String shortened(String line) {
        return line.substring(0, Math.min(300, line.length()));
    }
}
