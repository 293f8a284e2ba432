package io.tidemark.selfcheck;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.digest.DigestTable;
import io.tidemark.digest.DigestTable.Slot;
import io.tidemark.digest.KeyDigest;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Parses the connector's digests.
 *
 * <pre>
 * {"format":1,"prefix":"/registry/","epoch":1,"revision":7,"partitions":8,"takenMillis":1,"intervalMillis":60000,
 *  "byGroup":true,"groups":[
 *   {"group":"/registry/pods/","partition":3,"keys":2,"sum":"32 hexadecimal digits"}]}
 * </pre>
 */
final class EtcdDigestJson {
    /** Of the digests and their input; another format cannot be compared. */
    private static final int FORMAT = DigestTable.FORMAT;

    private static final JsonFactory JSON = new JsonFactory();

    private long epoch = -1;
    private long revision = -1;
    private int partitions = -1;
    private long takenMillis;
    private long intervalMillis;
    private int format = -1;
    private String prefix = "";
    private boolean byGroup;
    private final Map<Slot, KeyDigest> digests = new HashMap<>();

    private EtcdDigestJson() {}

    /**
     * @throws IOException when the JSON is malformed or incomplete
     */
    static EtcdDigest parse(byte[] json) throws IOException {
        EtcdDigestJson read = new EtcdDigestJson();
        try (JsonParser in = JSON.createParser(json)) {
            read.document(in);
        } catch (IllegalArgumentException e) {
            throw new IOException("malformed digests: " + e.getMessage(), e);
        }
        if (read.format != FORMAT) {
            throw new IOException(
                    "digests have format %d, expected %d".formatted(read.format, FORMAT));
        }
        if (read.epoch < 1 || read.revision < 1 || read.partitions < 1) {
            throw new IOException("digests lack epoch, revision or partitions");
        }
        return new EtcdDigest(
                read.epoch,
                read.revision,
                read.partitions,
                Bytes.utf8(read.prefix),
                new DigestTable(read.byGroup, read.digests),
                read.takenMillis,
                read.intervalMillis);
    }

    private void document(JsonParser in) throws IOException {
        expect(in.nextToken() == JsonToken.START_OBJECT);
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            JsonToken value = in.nextToken();
            switch (name) {
                case "format" -> format = in.getIntValue();
                case "prefix" -> prefix = in.getText();
                case "epoch" -> epoch = in.getLongValue();
                case "takenMillis" -> takenMillis = in.getLongValue();
                case "intervalMillis" -> intervalMillis = in.getLongValue();
                case "revision" -> revision = in.getLongValue();
                case "partitions" -> partitions = in.getIntValue();
                case "byGroup" -> byGroup = value == JsonToken.VALUE_TRUE;
                case "groups" -> {
                    expect(value == JsonToken.START_ARRAY);
                    while (in.nextToken() == JsonToken.START_OBJECT) {
                        group(in);
                    }
                }
                default -> in.skipChildren();
            }
        }
        expect(in.currentToken() == JsonToken.END_OBJECT);
    }

    private void group(JsonParser in) throws IOException {
        String group = null;
        String sum = "";
        int partition = -1;
        long keys = -1;
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            in.nextToken();
            switch (name) {
                case "group" -> group = in.getText();
                case "partition" -> partition = in.getIntValue();
                case "keys" -> keys = in.getLongValue();
                case "sum" -> sum = in.getText();
                default -> in.skipChildren();
            }
        }
        expect(group != null && partition >= 0 && keys > 0);
        digests.put(
                new Slot(partition, Bytes.utf8(group == null ? "" : group)),
                KeyDigest.parse(keys, sum));
    }

    private static void expect(boolean asExpected) throws IOException {
        if (!asExpected) {
            throw new IOException("malformed digests");
        }
    }
}
