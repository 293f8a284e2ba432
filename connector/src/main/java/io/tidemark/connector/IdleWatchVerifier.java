package io.tidemark.connector;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.source.EtcdSource.Newest;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Proves that a watch which sends nothing misses nothing: etcd's newest revision, from a
 * linearizable read, is the one through which everything is written. At most one read is under way.
 * The feed's thread uses it; answers come from any thread.
 */
final class IdleWatchVerifier {
    /**
     * @param askedMillis this machine's time before etcd was asked
     */
    private record Answer(Newest newest, long askedMillis) {}

    private boolean asking;
    private @Nullable Answer answer;

    /** Whether etcd may be asked now; {@link #answered} or {@link #failed} has to follow. */
    synchronized boolean begin() {
        if (asking) {
            return false;
        }
        asking = true;
        return true;
    }

    synchronized void answered(Newest newest, long askedMillis) {
        asking = false;
        answer = new Answer(newest, askedMillis);
    }

    synchronized void failed() {
        asking = false;
    }

    /**
     * Uses up the last answer.
     *
     * @param marked through which everything is written
     * @return the time, in milliseconds of this machine's clock, at which that was etcd's newest
     *     state; empty when the answer does not prove it, or there is none
     */
    synchronized OptionalLong verifiedAsOf(ResumePoint.At marked) {
        Answer last = answer;
        answer = null;
        return last != null
                        && last.newest().clusterId() == marked.clusterId()
                        && last.newest().revision() == marked.revision()
                ? OptionalLong.of(last.askedMillis())
                : OptionalLong.empty();
    }
}
