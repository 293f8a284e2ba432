package io.tidemark.store.engine;

/** A read needs the disk, and was asked not to wait for it. */
public final class NotCachedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Without a stack trace: it is part of the normal course of a read. */
    public NotCachedException() {
        super("not in memory", null, false, false);
    }
}
