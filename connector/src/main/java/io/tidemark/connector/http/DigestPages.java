package io.tidemark.connector.http;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.sun.net.httpserver.HttpExchange;
import io.tidemark.connector.check.Digests;
import io.tidemark.connector.check.EtcdDigests;
import io.tidemark.connector.check.GroupKeys.Wanted;
import io.tidemark.connector.check.NoDigests;
import io.tidemark.record.Bytes;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The digests of etcd for the nodes' self-checks.
 *
 * <pre>
 * /digest?partitions=N   200 JSON with an ETag, see {@link Digests#toJson}; 304; 503 {"error":…}
 *                        when there are none (yet); 404 when the self-check is off
 * /digest/keys?epoch=&amp;revision=&amp;partitions=&amp;partition=&amp;groups=true&amp;group=
 *                        200 text: a line for each key, its revision and the key in hexadecimal,
 *                        in key order, and "end" when that was all; 503 as above
 * </pre>
 */
final class DigestPages {
    private static final String JSON = "application/json";
    private final @Nullable EtcdDigests digests;

    /**
     * @param digests null when the self-check is off
     */
    DigestPages(@Nullable EtcdDigests digests) {
        this.digests = digests;
    }

    void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("GET")) {
                refuse(exchange, 405, "not a way to ask for this");
                return;
            }
            EtcdDigests source = digests;
            if (source == null) {
                refuse(exchange, 404, "the self-check is off");
                return;
            }
            Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
            switch (exchange.getRequestURI().getPath()) {
                case "/digest" -> newest(exchange, source, query);
                case "/digest/keys" -> keys(exchange, source, query);
                default -> refuse(exchange, 404, "no such page");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void newest(HttpExchange exchange, EtcdDigests source, Map<String, String> query)
            throws IOException {
        Digests found;
        try {
            found = source.newest((int) number(query, "partitions"));
        } catch (NumberFormatException e) {
            refuse(exchange, 400, "no number: " + e.getMessage());
            return;
        } catch (NoDigests e) {
            refuse(exchange, 503, String.valueOf(e.getMessage()));
            return;
        }
        exchange.getResponseHeaders().set("ETag", found.tag());
        if (found.tag().equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
            exchange.sendResponseHeaders(304, -1);
            return;
        }
        answer(exchange, 200, found.toJson());
    }

    private static void keys(HttpExchange exchange, EtcdDigests source, Map<String, String> query)
            throws IOException, InterruptedException {
        Wanted wanted;
        try {
            wanted =
                    new Wanted(
                            number(query, "epoch"),
                            number(query, "revision"),
                            (int) Math.clamp(number(query, "partitions"), 1, 1 << 20),
                            (int) number(query, "partition"),
                            !"false".equals(query.get("groups")),
                            Bytes.utf8(query.getOrDefault("group", "")));
        } catch (NumberFormatException e) {
            refuse(exchange, 400, "no number: " + e.getMessage());
            return;
        }
        Lines lines = new Lines(exchange);
        try {
            source.keys()
                    .<IOException>read(
                            wanted,
                            key ->
                                    lines.write(
                                            key.modRevision()
                                                    + " "
                                                    + HexFormat.of().formatHex(key.key().array())));
            lines.write("end");
            lines.close();
        } catch (NoDigests e) {
            if (!lines.begun()) {
                refuse(exchange, 503, String.valueOf(e.getMessage()));
            } // Else it breaks off, without its end.
        }
    }

    /** Begins the answer with the first line. */
    private static final class Lines {
        private final HttpExchange exchange;
        private @Nullable BufferedWriter out;

        Lines(HttpExchange exchange) {
            this.exchange = exchange;
        }

        boolean begun() {
            return out != null;
        }

        void write(String line) throws IOException {
            BufferedWriter to = out;
            if (to == null) {
                exchange.getResponseHeaders().set("Content-Type", "text/plain");
                exchange.sendResponseHeaders(200, 0);
                to =
                        new BufferedWriter(
                                new OutputStreamWriter(
                                        exchange.getResponseBody(), StandardCharsets.US_ASCII));
                out = to;
            }
            to.write(line);
            to.write('\n');
        }

        void close() throws IOException {
            if (out != null) {
                out.close();
            }
        }
    }

    private static Map<String, String> query(@Nullable String raw) {
        Map<String, String> parameters = new HashMap<>();
        for (String each : raw == null ? new String[0] : raw.split("&", -1)) {
            int equals = each.indexOf('=');
            if (equals > 0) {
                try {
                    parameters.put(
                            each.substring(0, equals),
                            URLDecoder.decode(each.substring(equals + 1), StandardCharsets.UTF_8));
                } catch (IllegalArgumentException _) {
                    // What cannot be read was not said.
                }
            }
        }
        return parameters;
    }

    private static long number(Map<String, String> query, String name) {
        return Long.parseLong(query.getOrDefault(name, ""));
    }

    private static void refuse(HttpExchange exchange, int status, String why) throws IOException {
        answer(
                exchange,
                status,
                "{\"error\":\""
                        + new String(JsonStringEncoder.getInstance().quoteAsString(why))
                        + "\"}\n");
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", JSON);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }
}
