package io.tidemark.connector;

import io.tidemark.connector.feed.FeedEvent;
import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.value.ChangeBuilder;

/**
 * Production's check of etcd's history, for the simulation. It is in this package because the check
 * is package-private.
 */
public final class HistoryChecks {
    private HistoryChecks() {}

    public static FeedEvent check(
            EtcdSource source,
            ChangeBuilder builder,
            HistoryFingerprint fingerprint,
            ResumePoint.At marked) {
        return new HistoryCheck(source, builder, fingerprint).check(marked);
    }
}
