package io.tidemark.local.etcd;

import java.io.IOException;

/** This machine has no usable etcd and none could be fetched; the message says what to do. */
public final class EtcdUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    public EtcdUnavailableException(String message) {
        super(message);
    }
}
