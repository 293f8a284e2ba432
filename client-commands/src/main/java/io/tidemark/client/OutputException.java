package io.tidemark.client;

/**
 * Standard output takes no more, such as a pipe whose reader has ended: one line on stderr and exit
 * code 1. It is no IOException, since commands retry after those.
 */
public final class OutputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public OutputException() {
        super("cannot write to standard output");
    }
}
