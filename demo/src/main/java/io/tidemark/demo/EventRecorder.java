package io.tidemark.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.etcd.EtcdClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes Kubernetes events. Like an API server, it attaches many of them to one etcd lease of an
 * hour, so that they expire together at one revision.
 */
final class EventRecorder {
    private static final Duration TIME_TO_LIVE = Duration.ofHours(1);
    private static final Duration LEASE_REUSE = Duration.ofMinutes(1);

    private final EtcdClient etcd;
    private final ClusterStore store;
    private final RandomValues values;
    private final InstantSource clock;
    private long lease;
    private Instant leaseUntil = Instant.MIN;

    EventRecorder(EtcdClient etcd, ClusterStore store, RandomValues values, InstantSource clock) {
        this.etcd = etcd;
        this.store = store;
        this.values = values;
        this.clock = clock;
    }

    /** An event's content. */
    record Report(String type, String reason, String message, String component) {
        static Report normal(String reason, String message, String component) {
            return new Report("Normal", reason, message, component);
        }

        static Report warning(String reason, String message, String component) {
            return new Report("Warning", reason, message, component);
        }
    }

    boolean write(ObjectNode about, Report report) {
        Instant now = clock.instant();
        String name = about.at("/metadata/name").asText();
        Map<String, Object> fields = new HashMap<>();
        fields.put("name", name + "." + values.hex(8));
        fields.put("namespace", about.at("/metadata/namespace").asText());
        fields.put("uid", values.uid());
        fields.put("now", RandomValues.seconds(now));
        fields.put("kind", about.get("kind").asText());
        fields.put("objectName", name);
        fields.put("objectUid", about.at("/metadata/uid").asText());
        fields.put("objectVersion", about.get("apiVersion").asText());
        fields.put("type", report.type());
        fields.put("reason", report.reason());
        fields.put("message", report.message());
        fields.put("component", report.component());
        ObjectNode event = Templates.render("event", fields);
        return store.create(Directories.key(Directories.EVENTS, event), event, lease(now));
    }

    private long lease(Instant now) {
        if (!now.isBefore(leaseUntil)) {
            lease = etcd.grantLease(TIME_TO_LIVE.plus(LEASE_REUSE)).id();
            leaseUntil = now.plus(LEASE_REUSE);
        }
        return lease;
    }
}
