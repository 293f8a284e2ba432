package io.tidemark.view;

import java.util.List;

/**
 * A page of the versions of one key, oldest first.
 *
 * @param throughRevision every known version after the asked revision and at or below this one is
 *     in the page. Ask on from here.
 * @param floor what happened at or below it is not known, but for the version that was current
 *     there
 */
public record VersionPage(List<KeyVersion> versions, long throughRevision, long floor) {
    public VersionPage {
        versions = List.copyOf(versions);
    }
}
