package io.tidemark.query.select;

import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.FailureStatus;

/** A selector cannot be parsed; the text is the API server's. */
final class BadSelectorException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String text;

    BadSelectorException(String text) {
        super(text, null, false, false);
        this.text = text;
    }

    String text() {
        return text;
    }

    StatusException asStatus() {
        return new StatusException(new FailureStatus(400, "BadRequest", text));
    }
}
