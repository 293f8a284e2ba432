package io.tidemark.written;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.record.Bytes;
import java.util.Base64;

/** The written changes of etcd, one key and one revision each. */
final class WrittenState {
    private WrittenState() {}

    /**
     * Makes the changes in order, in an etcd at revision 1; {@code compact} compacts it at the
     * revision. Returns the last revision.
     */
    static long write(JsonNode rows, EtcdClient to) throws ReflectiveOperationException {
        long last = 1;
        for (JsonNode row : rows) {
            if (row.has("compact")) {
                to.compact(row.path("compact").asLong(), true);
                continue;
            }
            last++;
            assertThat(row.path("revision").asLong()).as("%s", row).isEqualTo(last);
            Bytes key = Bytes.utf8(row.path("key").asText());
            if (row.path("deleted").asBoolean()) {
                assertThat(to.delete(key)).as("%s", row).isTrue();
            } else {
                assertThat(to.put(key, value(row))).as("%s", row).isEqualTo(last);
            }
        }
        return last;
    }

    private static Bytes value(JsonNode row) throws ReflectiveOperationException {
        Bytes whole;
        if (row.has("protobuf")) {
            whole = ProtobufValue.of(row);
        } else if (row.has("base64")) {
            whole = Bytes.wrap(Base64.getDecoder().decode(row.path("base64").asText()));
        } else if (row.has("text")) {
            whole = Bytes.utf8(row.path("text").asText());
        } else {
            assertThat(row.path("json").isObject()).as("%s", row).isTrue();
            whole = Bytes.utf8(row.path("json").toString());
        }
        return whole.slice(0, row.path("cutTo").asInt(whole.length()));
    }
}
