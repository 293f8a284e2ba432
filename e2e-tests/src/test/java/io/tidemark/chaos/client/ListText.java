package io.tidemark.chaos.client;

import io.tidemark.chaos.load.EtcdOracleWatch;
import io.tidemark.chaos.load.ObjectSpace;
import io.tidemark.chaos.load.ObjectText;
import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.promise.RecordedRead.Page;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One page of a list, read without a JSON parser: compact, its metadata before its items.
 *
 * @param continuation for the next page; empty for none
 */
record ListText(Page page, String continuation) {
    private static final byte[] ITEMS = ascii("\"items\":[");
    private static final byte[] CONTINUE = ascii("\"continue\":\"");

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * @throws IOException when it is no list
     */
    static ListText read(ObjectSpace space, byte[] body) throws IOException {
        int items = ObjectText.find(body, 0, body.length, ITEMS);
        if (items < 0) {
            throw new IOException("no list: " + new String(body, StandardCharsets.UTF_8));
        }
        long revision = ObjectText.revision(body, 0, items);
        String continuation = ObjectText.text(body, 0, items, CONTINUE);
        List<Item> found = new ArrayList<>();
        int depth = 0;
        int start = 0;
        boolean quoted = false;
        for (int i = items + ITEMS.length; i < body.length; i++) {
            byte next = body[i];
            if (quoted) {
                if (next == '\\') {
                    i++;
                } else if (next == '"') {
                    quoted = false;
                }
            } else if (next == '"') {
                quoted = true;
            } else if (next == '{') {
                if (depth++ == 0) {
                    start = i;
                }
            } else if (next == '}' && --depth == 0) {
                found.add(item(space, ObjectText.read(space, body, start, i + 1)));
            } else if (next == ']' && depth == 0) {
                return new ListText(new Page(revision, found), continuation);
            }
        }
        throw new IOException("a list that does not end");
    }

    private static Item item(ObjectSpace space, ObjectText.ParsedObject seen) {
        Bytes key = seen.index() < 0 ? Bytes.utf8("unknown") : space.key(seen.index());
        return new Item(key, seen.revision(), EtcdOracleWatch.shown(seen.hash()));
    }
}
