package io.tidemark.connector.check;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.tidemark.digest.DigestTable;
import io.tidemark.record.Bytes;

/**
 * Digests of everything etcd held at a revision.
 *
 * @param epoch the mirror's epoch that the revision belongs to
 * @param partitions partition count that the table was made for
 * @param prefix the mirrored prefix
 * @param takenMillis when the scan ended
 * @param intervalMillis to the next scan
 */
public record Digests(
        long epoch,
        long revision,
        int partitions,
        Bytes prefix,
        DigestTable table,
        long takenMillis,
        long intervalMillis) {
    /** Entity tag: equal for the same scan of etcd. */
    public String tag() {
        return "%d-%d-%d-%d".formatted(epoch, revision, partitions, takenMillis);
    }

    /** JSON, with one line per group. */
    public String toJson() {
        StringBuilder json = new StringBuilder();
        json.append(
                """
                {"format":%d,"prefix":"%s","epoch":%d,"revision":%d,"partitions":%d,"takenMillis":%d,"intervalMillis":%d,\
                "keys":%d,"byGroup":%b,"groups":[\
                """
                        .formatted(
                                DigestTable.FORMAT,
                                quoted(prefix),
                                epoch,
                                revision,
                                partitions,
                                takenMillis,
                                intervalMillis,
                                table.keys(),
                                table.byGroup()));
        String separator = "\n";
        for (var each : table.digests().entrySet()) {
            json.append(separator)
                    .append("{\"group\":\"")
                    .append(quoted(each.getKey().group()))
                    .append(
                            "\",\"partition\":%d,\"keys\":%d,\"sum\":\"%s\"}"
                                    .formatted(
                                            each.getKey().partition(),
                                            each.getValue().keys(),
                                            each.getValue().hex()));
            separator = ",\n";
        }
        return json.append("]}\n").toString();
    }

    private static String quoted(Bytes text) {
        return new String(JsonStringEncoder.getInstance().quoteAsString(text.utf8()));
    }
}
