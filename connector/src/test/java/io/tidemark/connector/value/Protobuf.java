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

    /** A ConfigMap of core/v1 whose managedFields embed JSON. */
    public static Bytes managed(String name, Bytes json) {
        Bytes manager = field(1, Bytes.utf8("m")).concat(field(7, field(1, json)));
        Bytes metadata = field(1, Bytes.utf8(name)).concat(field(17, manager));
        return envelope("v1", "ConfigMap", field(1, metadata));
    }

    public static Bytes envelope(String apiVersion, String kind, Bytes message) {
        Bytes type = field(1, Bytes.utf8(apiVersion)).concat(field(2, Bytes.utf8(kind)));
        return Bytes.utf8("k8s\0").concat(field(1, type)).concat(field(2, message));
    }

    /** One field of the length-delimited wire type; at most 16 KiB - 1. */
    public static Bytes field(int number, Bytes content) {
        return varint(number << 3 | 2).concat(varint(content.length())).concat(content);
    }

    /** A number below 16,384. */
    private static Bytes varint(int value) {
        return Bytes.wrap(
                value < 128
                        ? new byte[] {(byte) value}
                        : new byte[] {(byte) (value & 127 | 128), (byte) (value >> 7)});
    }
}
