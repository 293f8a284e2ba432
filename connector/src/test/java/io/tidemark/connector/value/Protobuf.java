package io.tidemark.connector.value;

import io.tidemark.record.Bytes;

/** Builds values in Kubernetes' protobuf envelope. */
public final class Protobuf {
    private Protobuf() {}

    /** A ConfigMap of core/v1 with a name and one entry of data. */
    public static Bytes configMap(String name, String data) {
        Bytes metadata = field(1, Bytes.utf8(name));
        Bytes entry = field(1, Bytes.utf8("text")).concat(field(2, Bytes.utf8(data)));
        return envelope("v1", "ConfigMap", field(1, metadata).concat(field(2, entry)));
    }

    /** A ConfigMap of core/v1 with a name and nothing else. */
    public static Bytes named(String name) {
        return envelope("v1", "ConfigMap", field(1, field(1, Bytes.utf8(name))));
    }

    public static Bytes envelope(String apiVersion, String kind, Bytes message) {
        Bytes type = field(1, Bytes.utf8(apiVersion)).concat(field(2, Bytes.utf8(kind)));
        return Bytes.utf8("k8s\0").concat(field(1, type)).concat(field(2, message));
    }

    /** One field of the length-delimited wire type; at most 16 KiB - 1. */
    public static Bytes field(int number, Bytes content) {
        int length = content.length();
        byte tag = (byte) (number << 3 | 2);
        byte[] head =
                length < 128
                        ? new byte[] {tag, (byte) length}
                        : new byte[] {tag, (byte) (length & 127 | 128), (byte) (length >> 7)};
        return Bytes.wrap(head).concat(content);
    }
}
