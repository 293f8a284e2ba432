package io.tidemark.query.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The status of one node, exchanged between nodes as JSON.
 *
 * @param node its address for peers; the one for clients on a single node
 * @param url for clients
 * @param phase its lifecycle phase, in capitals
 * @param detail the phase in words; may be empty
 * @param watches number of open watches
 * @param standbys configured number of standbys of each partition
 * @param copies its replicas
 */
public record NodeStatus(
        String node,
        String url,
        String phase,
        String detail,
        int watches,
        int standbys,
        List<ReplicaStatus> copies) {
    static final JsonMapper JSON =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    public NodeStatus {
        copies = List.copyOf(copies);
    }

    /**
     * A replica of one partition.
     *
     * @param active whether it is the active replica; a standby otherwise
     * @param ready whether it answers reads
     * @param markTimeMillis time of its newest tide mark; 0 for none
     * @param restored and {@code total}: progress of the restore, in records
     * @param bytes on disk, about
     * @param provenAtMillis when it was last proven equal to etcd; 0 for never
     */
    public record ReplicaStatus(
            int partition,
            boolean active,
            boolean ready,
            long epoch,
            long floor,
            long watermark,
            long markTimeMillis,
            long restored,
            long total,
            long bytes,
            long provenAtMillis) {}

    public byte[] toJson() {
        try {
            return JSON.writeValueAsBytes(this);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * @throws IOException when it is not valid JSON of a node status
     */
    static NodeStatus parse(byte[] json) throws IOException {
        return JSON.readValue(json, NodeStatus.class);
    }
}
