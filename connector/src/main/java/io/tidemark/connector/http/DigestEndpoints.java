package io.tidemark.connector.http;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.tidemark.connector.check.Digests;
import io.tidemark.connector.check.DigestsUnavailableException;
import io.tidemark.connector.check.EtcdDigests;
import io.tidemark.connector.check.GroupKeyReader.KeyPage;
import io.tidemark.connector.check.GroupKeyReader.KeyPageRequest;
import io.tidemark.http.NodeExchange;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Serves digests of etcd for the nodes' self-checks.
 *
 * <pre>
 * /digest?partitions=N&amp;known=TAG
 *                        200 JSON, see {@link Digests#toJson}; {"unchanged":true} when its tag is
 *                        the known one; 503 {"error":…} when there are none (yet), or the topic has
 *                        another number of partitions; 404 when the self-check is off
 * /digest/keys?epoch=&amp;revision=&amp;partitions=&amp;partition=&amp;groups=true&amp;group=&amp;from=
 *                        200 text: a line for each key of a page, its revision and the key, in key
 *                        order; then "end", or "next" and the key to continue from. Keys and groups
 *                        are hexadecimal. 503 as above
 * </pre>
 */
final class DigestEndpoints {
    private final @Nullable EtcdDigests digests;

    /**
     * @param digests null when the self-check is off
     */
    DigestEndpoints(@Nullable EtcdDigests digests) {
        this.digests = digests;
    }

    void newest(NodeExchange exchange) throws IOException, InterruptedException {
        answer(
                exchange,
                source -> {
                    Digests found = source.newest((int) number(exchange, "partitions"));
                    boolean known = found.tag().equals(exchange.query("known"));
                    return known ? "{\"unchanged\":true}\n" : found.toJson();
                });
    }

    void keys(NodeExchange exchange) throws IOException, InterruptedException {
        answer(
                exchange,
                source -> {
                    KeyPageRequest request =
                            new KeyPageRequest(
                                    number(exchange, "epoch"),
                                    number(exchange, "revision"),
                                    (int) number(exchange, "partitions"),
                                    (int) number(exchange, "partition"),
                                    !"false".equals(exchange.query("groups")),
                                    bytes(exchange, "group"),
                                    bytes(exchange, "from"));
                    return text(source.keys().read(request));
                });
    }

    private static String text(KeyPage page) {
        HexFormat hex = HexFormat.of();
        StringBuilder text = new StringBuilder();
        page.keys()
                .forEach(key ->
                        text.append(key.modRevision())
                                .append(' ')
                                .append(hex.formatHex(key.key().array()))
                                .append('\n'));
        String end = page.next().map(from -> "next " + hex.formatHex(from.array())).orElse("end");
        return text.append(end).append('\n').toString();
    }

    /** Renders an answer. */
    @FunctionalInterface
    private interface Page {
        String of(EtcdDigests source) throws DigestsUnavailableException, InterruptedException;
    }

    private void answer(NodeExchange exchange, Page page) throws IOException, InterruptedException {
        EtcdDigests source = digests;
        if (source == null) {
            refuse(exchange, 404, "the self-check is off");
            return;
        }
        String text;
        try {
            text = page.of(source);
        } catch (DigestsUnavailableException e) {
            refuse(exchange, 503, String.valueOf(e.getMessage()));
            return;
        } catch (IllegalArgumentException e) {
            refuse(exchange, 400, "not a number, or not hexadecimal: " + e.getMessage());
            return;
        }
        exchange.answer(200, text);
    }

    private static long number(NodeExchange exchange, String name) {
        return Long.parseLong(Objects.requireNonNullElse(exchange.query(name), ""));
    }

    private static Bytes bytes(NodeExchange exchange, String name) {
        String hex = Objects.requireNonNullElse(exchange.query(name), "");
        return Bytes.wrap(HexFormat.of().parseHex(hex));
    }

    static void refuse(NodeExchange exchange, int status, String why) throws IOException {
        String quoted = new String(JsonStringEncoder.getInstance().quoteAsString(why));
        exchange.answer(status, "{\"error\":\"" + quoted + "\"}\n");
    }
}
