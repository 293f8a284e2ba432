package io.tidemark.kubernetes.encode;

/** JSON that its kind's schema does not allow, so that it has no protobuf form. */
public final class EncodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EncodeException(String message) {
        super(message);
    }
}
