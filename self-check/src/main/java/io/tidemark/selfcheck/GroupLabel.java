package io.tidemark.selfcheck;

import io.tidemark.record.Bytes;
import java.util.regex.Pattern;

/**
 * Names a group of keys for reports and metrics, which show resources, but never an object, a
 * namespace or another part of a key.
 */
final class GroupLabel {
    /** Kubernetes resources, in the form of {@link io.tidemark.digest.DirectoryGroups}. */
    private static final Pattern RESOURCE =
            Pattern.compile("/registry/(?:[^/.]+|(?:services|[^/]*\\.[^/]*)/[^/]+)/");

    private static final String OTHER = "other";

    private GroupLabel() {}

    static String of(Bytes group) {
        String name = group.utf8();
        return RESOURCE.matcher(name).matches() ? name : OTHER;
    }
}
