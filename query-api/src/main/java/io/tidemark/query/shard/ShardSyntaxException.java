package io.tidemark.query.shard;

import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.FailureStatus;

/** A shard selector cannot be parsed; the text is the API server's. */
final class ShardSyntaxException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String text;

    ShardSyntaxException(String text) {
        super(text, null, false, false);
        this.text = text;
    }

    /** An error in the syntax of CEL. */
    static ShardSyntaxException cel(String text) {
        return new ShardSyntaxException("CEL parse error: " + text);
    }

    /** The API server answers 500 without a reason, as for errors that are not the client's. */
    StatusException asStatus() {
        return new StatusException(new FailureStatus(500, "", "invalid shard selector: " + text));
    }
}
