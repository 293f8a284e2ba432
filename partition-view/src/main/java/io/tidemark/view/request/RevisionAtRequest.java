package io.tidemark.view.request;

/**
 * Requests the newest revision at a time.
 *
 * @param timeMillis since 1970; rounded down to the end of a slot, which lasts a tenth of a second
 *     for a history window of six hours, and longer for a longer one
 */
public record RevisionAtRequest(long timeMillis) implements ReadRequest<RevisionAtTime> {
    @Override
    public long revision() {
        return 0;
    }

    /** Only the replica with the highest watermark knows all of the newest times. */
    @Override
    public long throughRevision() {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean isCompleteAnswer(RevisionAtTime answer, long watermark) {
        return answer.revision().isPresent();
    }
}
