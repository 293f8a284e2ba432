package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.concurrent.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * A stream without an end: after one ended or broke, the next continues after the last revision of
 * which all has arrived. A stream that broke within a revision has left the rest of it unsent: the
 * next one reads it again, and what had arrived of it is dropped.
 */
public final class ResumedStream {
    private static final Backoff PAUSES =
            new Backoff(Duration.ofMillis(250), Duration.ofSeconds(5));

    /** In a Status that ends a stream within a revision, which can be read again. */
    private static final String INCOMPLETE = "RevisionIncomplete";

    private String revision = "";
    private boolean received;
    private String partial = "";
    private final Set<String> keysOfPartial = new HashSet<>();

    /** The server ended a stream within a revision. */
    private static final class Incomplete extends IOException {
        private static final long serialVersionUID = 1;

        Incomplete(String message) {
            super(message);
        }
    }

    /** Reads one stream to its end. */
    public interface Attempt {
        /** Begins after {@link #revision}; reports each line to a method of the stream. */
        void read() throws IOException, InterruptedException;
    }

    /** Of which, and of all before it, everything has arrived; empty if there is none yet. */
    public String revision() {
        return revision;
    }

    /**
     * A change has arrived.
     *
     * @param at its revision; empty if it has none
     * @param key of what has changed: only once in a revision
     * @return whether it is new, and not of a revision that is read again
     */
    public boolean isNew(String at, String key) throws ApiException {
        if (!at.isEmpty() && !at.equals(partial)) {
            revision = Long.toString(number(at) - 1);
            partial = at;
            keysOfPartial.clear();
        }
        boolean fresh = at.isEmpty() || keysOfPartial.add(key);
        received |= fresh;
        return fresh;
    }

    /**
     * All changes through a revision have arrived, or are not wanted.
     *
     * @param through empty if it is not known
     */
    public void reached(String through) throws ApiException {
        if (!through.isEmpty()) {
            revision = Long.toString(number(through));
        }
        received = true;
    }

    private static long number(String revision) throws ApiException {
        try {
            return Long.parseLong(revision);
        } catch (NumberFormatException _) {
            throw new ApiException(
                    404,
                    "the server's response has the revision \"%s\": is it a Tidemark node?"
                            .formatted(revision));
        }
    }

    /**
     * Why a stream has ended.
     *
     * @param status its last line
     * @return for {@link Attempt#read} to throw
     */
    public static IOException ended(JsonNode status) {
        String message = status.path("message").asText();
        for (JsonNode cause : status.at("/details/causes")) {
            if (cause.path("reason").asText().equals(INCOMPLETE)) {
                return new Incomplete(message);
            }
        }
        return new ApiException(status.path("code").asInt(), message);
    }

    /** Reads one stream after the other, with pauses. Retries transient errors, throws others. */
    public void follow(Terminal terminal, Attempt attempt)
            throws IOException, InterruptedException {
        int attempts = 0;
        boolean said = false;
        while (true) {
            received = false;
            try {
                attempt.read();
            } catch (ApiException e) {
                boolean wrongServer = e.isUnreachable() && attempts == 0 && !received;
                if (!e.isRetryable() || wrongServer) {
                    throw e.isExpired() && !revision.isEmpty() ? compacted(e) : e;
                }
                said = said || retrying(terminal, e);
            } catch (Incomplete e) {
                // As if the connection had broken, unless nothing new comes.
                said = said || (!received && retrying(terminal, e));
            } catch (IOException _) {
                // The connection broke: the next attempt resumes, or fails with a reason.
            }
            if (received) {
                attempts = 0;
                said = false;
            }
            attempts++;
            Thread.sleep(PAUSES.after(attempts));
        }
    }

    private static boolean retrying(Terminal terminal, IOException why) {
        terminal.remark(why.getMessage() + "; retrying");
        return true;
    }

    private ApiException compacted(ApiException e) {
        return new ApiException(
                410,
                "revision %s is no longer readable (%s); start again without --from"
                        .formatted(revision, e.getMessage()));
    }
}
