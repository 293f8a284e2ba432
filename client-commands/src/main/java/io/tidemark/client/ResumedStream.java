package io.tidemark.client;

import io.tidemark.concurrent.Backoff;
import java.io.IOException;
import java.time.Duration;

/** A stream without an end: after one ended or broke, the next continues at its last revision. */
public final class ResumedStream {
    private static final Backoff PAUSES =
            new Backoff(Duration.ofMillis(250), Duration.ofSeconds(5));

    private String revision;
    private boolean received;

    /**
     * @param revision after which it begins; may be empty if the first attempt does not need it
     */
    public ResumedStream(String revision) {
        this.revision = revision;
    }

    /** Reads one stream to its end. */
    public interface Attempt {
        /** Begins after {@link #revision}, and reports each line to {@link #reached}. */
        void read() throws IOException, InterruptedException;
    }

    /** The last revision; empty if there is none yet. */
    public String revision() {
        return revision;
    }

    /**
     * A line has arrived.
     *
     * @param through its revision; empty if it has none
     */
    public void reached(String through) {
        revision = through.isEmpty() ? revision : through;
        received = true;
    }

    /** Reads one stream after the other, with pauses. Retries transient errors, throws others. */
    public void follow(Terminal terminal, Attempt attempt)
            throws IOException, InterruptedException {
        int attempts = 0;
        boolean lost = false;
        while (true) {
            received = false;
            try {
                attempt.read();
            } catch (ApiException e) {
                boolean wrongServer = e.isUnreachable() && attempts == 0 && !received;
                if (!e.isRetryable() || wrongServer) {
                    throw e.isExpired() && !revision.isEmpty() ? compacted(e) : e;
                }
                if (!lost) {
                    terminal.remark(e.getMessage() + "; retrying");
                }
                lost = true;
            } catch (IOException _) {
                // The connection broke: the next attempt resumes, or fails with a reason.
            }
            if (received) {
                attempts = 0;
                lost = false;
            }
            attempts++;
            Thread.sleep(PAUSES.after(attempts));
        }
    }

    private ApiException compacted(ApiException e) {
        return new ApiException(
                410,
                "revision %s is no longer readable (%s); start again without --from"
                        .formatted(revision, e.getMessage()));
    }
}
