package io.tidemark.selfcheck;

import io.tidemark.record.Bytes;
import java.util.regex.Pattern;

/**
 * What a group of keys is called on pages and in metrics, which show resources and never an object,
 * a namespace or another part of a key.
 */
final class GroupLabel {
    /** Of Kubernetes' resources, as {@link io.tidemark.digest.DirectoryGroups} names them. */
    private static final Pattern RESOURCE =
            Pattern.compile("/registry/(?:[^/.]+|(?:services|[^/]*\\.[^/]*)/[^/]+)/");

    private static final String OTHER = "other";

    private GroupLabel() {}

    static String of(Bytes group) {
        String name = group.utf8();
        return RESOURCE.matcher(name).matches() ? name : OTHER;
    }
}
