package io.tidemark.view.request;

import java.util.List;

/**
 * A page of the versions of one key, oldest first.
 *
 * @param throughRevision every known version after the requested revision and at or below this one
 *     is in the page. Continue from here
 * @param floor at or below it nothing is known except the version that was current there
 */
public record VersionPage(List<KeyVersion> versions, long throughRevision, long floor) {
    public VersionPage {
        versions = List.copyOf(versions);
    }
}
