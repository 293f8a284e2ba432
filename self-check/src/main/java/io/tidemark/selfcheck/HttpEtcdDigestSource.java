package io.tidemark.selfcheck;

import io.tidemark.digest.KeyRevision;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.NodeRequest;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Gets digests from the connector over HTTP: {@code /digest} and {@code /digest/keys}. */
public final class HttpEtcdDigestSource implements EtcdDigestSource {
    /** For one response. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** For all keys of a group, so that a slow connector does not stall the check. */
    private static final Duration KEYS_TIMEOUT = Duration.ofMinutes(2);

    /** Enough for {@link io.tidemark.digest.DigestTable#MAX_SLOTS}, or for a page of keys. */
    private static final int MAX_ANSWER = 16 << 20;

    private static final byte[] UNCHANGED =
            "{\"unchanged\":true}\n".getBytes(StandardCharsets.US_ASCII);

    private final NodeClient client;
    private @Nullable EtcdDigest newest;

    /**
     * @param client the caller closes it
     */
    public HttpEtcdDigestSource(NodeClient client) {
        this.client = client;
    }

    @Override
    public EtcdDigest newest(String connector, int partitions)
            throws IOException, InterruptedException {
        @Nullable EtcdDigest known = newest;
        String path = "/digest?partitions=" + partitions;
        byte[] answer = ask(connector, known == null ? path : path + "&known=" + tag(known));
        if (known != null && Arrays.equals(answer, UNCHANGED)) {
            return known;
        }
        EtcdDigest digest = EtcdDigestJson.parse(answer);
        newest = digest;
        return digest;
    }

    private static String tag(EtcdDigest digest) {
        return "%d-%d-%d-%d"
                .formatted(
                        digest.epoch(),
                        digest.revision(),
                        digest.partitions(),
                        digest.takenMillis());
    }

    @Override
    public Keys keys(String connector, EtcdDigest digest, int partition, Bytes group) {
        String path =
                "/digest/keys?epoch=%d&revision=%d&partitions=%d&partition=%d&groups=%b&group=%s"
                        .formatted(
                                digest.epoch(),
                                digest.revision(),
                                digest.partitions(),
                                partition,
                                digest.table().byGroup(),
                                HexFormat.of().formatHex(group.array()));
        return new Pages(connector, path);
    }

    private byte[] ask(String connector, String path) throws IOException, InterruptedException {
        NodeClient.Answer answer =
                client.askConnector(connector, NodeRequest.get(path), TIMEOUT, MAX_ANSWER);
        if (answer.status() != 200) {
            String why = new String(answer.body(), StandardCharsets.UTF_8).strip();
            throw new IOException(
                    "the connector at %s answered %d %s"
                            .formatted(connector, answer.status(), why));
        }
        return answer.body();
    }

    /** Reads pages: lines of revision and key in hexadecimal, then the start of the next page. */
    private final class Pages implements Keys {
        private static final String END = "end";
        private static final String NEXT = "next ";

        private final String connector;
        private final String path;
        private final long deadline = System.nanoTime() + KEYS_TIMEOUT.toNanos();
        private @Nullable String from = "";
        private Iterator<String> lines = Collections.emptyIterator();

        Pages(String connector, String path) {
            this.connector = connector;
            this.path = path;
        }

        @Override
        public Optional<KeyRevision> next() throws IOException, InterruptedException {
            while (true) {
                if (!lines.hasNext()) {
                    if (from == null) {
                        return Optional.empty();
                    }
                    lines = page(from);
                }
                String line = lines.next();
                if (line.equals(END)) {
                    from = null;
                } else if (line.startsWith(NEXT)) {
                    from = line.substring(NEXT.length());
                } else {
                    return Optional.of(key(line));
                }
            }
        }

        private Iterator<String> page(String after) throws IOException, InterruptedException {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("the connector took too long to send the keys");
            }
            String text =
                    new String(ask(connector, path + "&from=" + after), StandardCharsets.US_ASCII);
            if (text.isEmpty()) {
                throw new IOException("the connector sent an empty page of keys");
            }
            return text.lines().iterator();
        }

        private static KeyRevision key(String line) throws IOException {
            int space = line.indexOf(' ');
            try {
                return new KeyRevision(
                        Bytes.wrap(HexFormat.of().parseHex(line.substring(space + 1))),
                        Long.parseLong(line, 0, space, 10));
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new IOException("the connector sent a malformed key", e);
            }
        }
    }
}
