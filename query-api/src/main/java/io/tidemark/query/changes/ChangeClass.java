package io.tidemark.query.changes;

import io.tidemark.diff.FieldPath;
import io.tidemark.query.catalog.Resource;
import io.tidemark.view.request.KeyVersion.Step;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What of an object a change is about. People look for the first two. */
public enum ChangeClass {
    /** What is wanted: anything outside metadata and status, and objects that come and go. */
    SPEC,
    /** Labels, annotations, owners, finalizers. */
    METADATA,
    /** What was observed: only the status, or an Event. */
    STATUS,
    /** Heartbeats, leases, endpoints, and writes that changed nothing. */
    NOISE;

    private static final Set<String> NOISY =
            Set.of(
                    "leases.coordination.k8s.io",
                    "endpoints",
                    "endpointslices.discovery.k8s.io",
                    "leasecandidates.coordination.k8s.io");

    private static final Set<String> EVENTS = Set.of("events", "events.events.k8s.io");

    /** Fields that repeat other changes, or that change by themselves. */
    private static final Set<FieldPath> NOISY_FIELDS =
            Set.of(
                    FieldPath.of("metadata", "generation"),
                    annotation("kubectl.kubernetes.io/last-applied-configuration"),
                    annotation("control-plane.alpha.kubernetes.io/leader"));

    private static FieldPath annotation(String name) {
        return FieldPath.of("metadata", "annotations", name);
    }

    /** The name in requests and answers. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<ChangeClass> byWireName(String name) {
        return Arrays.stream(values()).filter(each -> each.wireName().equals(name)).findFirst();
    }

    static Set<ChangeClass> all() {
        return EnumSet.allOf(ChangeClass.class);
    }

    /** Whether all changes of a resource are noise. */
    static boolean isNoisy(Resource resource) {
        return NOISY.contains(resource.qualifiedName());
    }

    static boolean isEvents(Resource resource) {
        return EVENTS.contains(resource.qualifiedName());
    }

    /** Whether a field says something that other fields do not. */
    static boolean isTelling(FieldPath path) {
        return !NOISY_FIELDS.contains(path) && !isHeartbeat(path);
    }

    private static boolean isHeartbeat(FieldPath path) {
        return path.isBelow("status", "conditions")
                && path.steps().getLast() instanceof FieldPath.Step.Member(String name)
                && (name.equals("lastHeartbeatTime") || name.equals("lastProbeTime"));
    }

    /**
     * The class of a change.
     *
     * @param fields the first class of the fields that differ, by {@link #ofField}; noise for none
     */
    static ChangeClass of(Resource resource, Step step, ChangeClass fields) {
        if (isNoisy(resource)) {
            return NOISE;
        }
        if (isEvents(resource)) {
            return STATUS;
        }
        return step == Step.MODIFIED ? fields : SPEC;
    }

    /** The class of a change of nothing else than one telling field. */
    static ChangeClass ofField(FieldPath path) {
        return path.isBelow("status") ? STATUS : path.isBelow("metadata") ? METADATA : SPEC;
    }
}
