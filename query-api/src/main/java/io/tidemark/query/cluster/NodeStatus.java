package io.tidemark.query.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * How one node stands; goes from node to node as JSON.
 *
 * @param node its address among the nodes; the one for clients when it keeps to itself
 * @param url for clients
 * @param phase what it is doing, in capitals
 * @param detail in words; may be empty
 * @param watches how many are open there
 * @param standbys how many further copies of each partition the nodes shall keep
 * @param copies the partitions that it holds
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
     * A copy of one partition.
     *
     * @param active whether the node owns the partition; a standby otherwise
     * @param ready whether it answers reads
     * @param markTimeMillis when its newest mark was made; 0 for none
     * @param restored and {@code total}: records on the way to being ready
     * @param bytes on disk, about
     * @param provenAtMillis when it was last proven equal to etcd; 0 for not yet
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
     * @throws IOException when it is no such JSON
     */
    static NodeStatus parse(byte[] json) throws IOException {
        return JSON.readValue(json, NodeStatus.class);
    }
}
