package io.tidemark.hostile;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a hostile client does; each kind has separate connections. */
enum Attack {
    /** Lists with as many field terms as a request head holds, one after the other. */
    SELECTORS(true, 0),
    /** The state of the whole cluster, one request after the other. */
    CLUSTER(true, 0),
    /** GETs of the biggest objects, read very slowly. */
    GETS(false, 512),
    /** Lists in pages, read very slowly. */
    LISTS(false, 512),
    /** Watches of everything, read slower than events arrive. */
    WATCHES(false, 4 << 10),
    /** Connections that never send a request. */
    SOCKETS(false, 0);

    /** Fills the 32 KiB that a node accepts, and leaves room for the rest of the head. */
    private static final int SELECTOR_BYTES = 31 << 10;

    private final boolean loop;
    private final int bytesPerSecond;

    Attack(boolean loop, int bytesPerSecond) {
        this.loop = loop;
        this.bytesPerSecond = bytesPerSecond;
    }

    /**
     * Whether a connection sends the next request as soon as it has its answer, instead of reading
     * slowly.
     */
    boolean isLoop() {
        return loop;
    }

    /** What a slow connection reads. */
    int bytesPerSecond() {
        return bytesPerSecond;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Attack of(String word) {
        return Arrays.stream(values())
                .filter(each -> each.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown attack: " + word));
    }

    /**
     * The head of the request of one connection; empty for one that sends none.
     *
     * @param number of the connection: different ones send different requests
     */
    byte[] request(int number, String host) {
        String path =
                switch (this) {
                    case SELECTORS -> "/api/v1/configmaps?fieldSelector=" + selector();
                    case CLUSTER -> "/cluster";
                    case GETS -> BulkObjects.bigPath(number);
                    case LISTS -> "/api/v1/configmaps?limit=500";
                    case WATCHES -> "/api/v1/configmaps?watch=true&resourceVersion=0";
                    case SOCKETS -> "";
                };
        return path.isEmpty()
                ? new byte[0]
                : "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n"
                        .formatted(path, host)
                        .getBytes(StandardCharsets.US_ASCII);
    }

    /** Terms over the value, all of which match every object: none ends the comparison early. */
    private static String selector() {
        String term = ".a!=1,";
        return IntStream.range(0, SELECTOR_BYTES / term.length())
                .mapToObj(_ -> ".a!=1")
                .collect(Collectors.joining(","));
    }
}
