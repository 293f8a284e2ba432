package io.tidemark.connector.feed;

import io.tidemark.record.Change.TideMark.Kind;

/** What becomes of open watches when etcd has compacted changes before they were read. */
public enum GapPolicy {
    /** They end with 410: nobody knows all that happened. */
    EXPIRE(Kind.GAP),
    /**
     * They get the net change of each key, in the order of revisions, and go on. A key that was
     * deleted and made again is one change; an object that came and went is none.
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
