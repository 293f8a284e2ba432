package io.tidemark.chaos.client;

import io.tidemark.chaos.load.ObjectSpace;
import io.tidemark.simulation.model.Item;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything that one node lists.
 *
 * @param revision of all its pages
 */
public record FullList(long revision, List<Item> items) {
    private static final Duration SILENCE = Duration.ofSeconds(60);

    public FullList {
        items = List.copyOf(items);
    }

    /**
     * Lists at exactly a revision, in pages.
     *
     * @throws IOException when a page fails, or is at another revision than the first
     */
    public static FullList at(NodeTable.Address node, ObjectSpace space, long atRevision)
            throws IOException {
        List<Item> items = new ArrayList<>();
        String base = "/api/v1/configmaps?limit=2000";
        String path = base + "&resourceVersionMatch=Exact&resourceVersion=" + atRevision;
        while (true) {
            try (HttpExchange exchange = new HttpExchange(node, path, SILENCE)) {
                byte[] body = exchange.body();
                if (exchange.status() != 200) {
                    throw new IOException(
                            exchange.status() + ": " + new String(body, StandardCharsets.UTF_8));
                }
                ListText page = ListText.read(space, body);
                if (page.page().revision() != atRevision) {
                    throw new IOException("a page is at " + page.page().revision());
                }
                items.addAll(page.page().items());
                if (page.continuation().isEmpty()) {
                    return new FullList(atRevision, items);
                }
                path = base + "&continue=" + page.continuation();
            }
        }
    }
}
