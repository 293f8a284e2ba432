package io.tidemark.clients;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.RangeRequest;
import io.tidemark.etcd.RangeScan;
import io.tidemark.harness.Api;
import io.tidemark.harness.TestEtcd;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What an informer follows: a collection, a part of it, or what a selector matches. */
enum WatchedView {
    CONFIG_MAPS("/api/v1/configmaps", "configmaps/", ""),
    ONE_NAMESPACE(
            "/api/v1/namespaces/" + Changes.NAMESPACE + "/configmaps",
            "configmaps/" + Changes.NAMESPACE + "/",
            ""),
    PODS("/api/v1/pods", "pods/", ""),
    LABELLED_PODS("/api/v1/pods", "pods/", Changes.LABEL),
    BUOYS("/apis/" + Changes.GROUP + "/v1/buoys", Changes.GROUP + "/buoys/", "");

    private static final int PAGE = 2_000;

    private final String path;
    private final String prefix;
    private final String labelSelector;

    WatchedView(String path, String directory, String labelSelector) {
        this.path = path;
        this.prefix = "/registry/" + directory;
        this.labelSelector = labelSelector;
    }

    String path() {
        return path;
    }

    /** Empty, or {@code name=value}. */
    String labelSelector() {
        return labelSelector;
    }

    /** The expected resource versions, by namespace and name. */
    Map<String, String> in(TestEtcd etcd) throws IOException {
        Map<String, String> versions = new TreeMap<>();
        RangeScan scan = etcd.client().scan(RangeRequest.prefix(Bytes.utf8(prefix)), PAGE);
        for (Optional<RangePage> page = scan.nextPage(); page.isPresent(); page = scan.nextPage()) {
            for (KeyValue pair : page.get().keyValues()) {
                JsonNode metadata = Api.JSON.readTree(pair.value().array()).path("metadata");
                if (selects(metadata.path("labels"))) {
                    versions.put(
                            metadata.path("namespace").asText()
                                    + "/"
                                    + metadata.path("name").asText(),
                            Long.toString(pair.modRevision()));
                }
            }
        }
        return versions;
    }

    private boolean selects(JsonNode labels) {
        int equals = labelSelector.indexOf('=');
        return equals < 0
                || labels.path(labelSelector.substring(0, equals))
                        .asText()
                        .equals(labelSelector.substring(equals + 1));
    }
}
