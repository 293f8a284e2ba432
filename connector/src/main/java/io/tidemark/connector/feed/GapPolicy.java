package io.tidemark.connector.feed;

import io.tidemark.record.Change.TideMark.Kind;

/** What happens to open watches when etcd compacted changes before they were read. */
public enum GapPolicy {
    /** They end with 410, since some changes are unknown. */
    EXPIRE(Kind.GAP),
    /**
     * They get the net change of each key, in the order of revisions, and continue. A key that was
     * deleted and recreated is one change; an object that was created and deleted is none.
     */
    BRIDGE(Kind.BRIDGE);

    private final Kind mark;

    GapPolicy(Kind mark) {
        this.mark = mark;
    }

    /** The mark that ends the changes of a gap. */
    Kind mark() {
        return mark;
    }
}
