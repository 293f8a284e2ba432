package io.tidemark.connector;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.source.EtcdSource.Newest;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Proves that a watch which sends nothing misses nothing: etcd's newest revision, from a
 * linearizable read, equals the last revision written. At most one read is in flight. The feed's
 * thread uses it; answers may come from any thread.
 */
final class IdleWatchVerifier {
    /**
     * @param askedMillis this machine's time before etcd was asked
     */
    private record Answer(Newest newest, long askedMillis) {}

    private boolean asking;
    private @Nullable Answer answer;

    /** Whether etcd may be asked now; if so, {@link #answered} or {@link #failed} must follow. */
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
     * Consumes the last answer.
     *
     * @param marked the last mark: everything through it is written
     * @return the time, in milliseconds of this machine's clock, at which the mark was etcd's
     *     newest revision; empty when there is no answer, or it does not prove that
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
