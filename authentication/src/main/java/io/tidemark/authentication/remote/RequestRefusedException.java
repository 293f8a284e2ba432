package io.tidemark.authentication.remote;

import java.io.IOException;

/** A server understood a request and refused it: the same one fails again. */
public final class RequestRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    RequestRefusedException(String message) {
        super(message);
    }
}
