package io.tidemark.simulation.model;

import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A value that a simulated client puts into etcd, and what the mirror must make of it. The author
 * of the value states the result, so the oracle depends on no production code.
 *
 * @param value the bytes in etcd
 * @param object whether it is a readable Kubernetes object
 * @param labels of the object
 * @param shown what a reader must get, in the normal form of {@link #normalForm}
 * @param rbac what it means if it is a role or a binding
 * @param secret whether it is a Secret, at any key
 */
public record Payload(
        Bytes value,
        boolean object,
        Map<String, String> labels,
        String shown,
        Optional<RbacValue> rbac,
        boolean secret) {
    /** In each Secret's value: where that is found, a Secret is. */
    public static final String HIDDEN = "password";

    private static final String UID = "\"uid\":\"";

    /** As many different uids: an object often changes its shard. */
    private static final int UIDS = 8;

    /** What makes an object unique is in a field that protobuf has, too. */
    private static final String SERIAL = "\"spec\":{\"hostname\":\"";

    private static final String SERIAL_END = "\"}}";

    public Payload {
        labels = Map.copyOf(labels);
    }

    /** No role or binding. */
    public Payload(Bytes value, boolean object, Map<String, String> labels, String shown) {
        this(value, object, labels, shown, Optional.empty(), false);
    }

    /**
     * A role or a binding.
     *
     * @param namespace empty for one of the cluster
     */
    public static Payload rbac(String namespace, String name, RbacValue value) {
        String json = value.json(namespace, name);
        return new Payload(Bytes.utf8(json), true, Map.of(), json, Optional.of(value), false);
    }

    /** How etcd stores an object; what readers get is always the same. */
    public enum Style {
        COMPACT,
        SPACED,
        /** With a stored resourceVersion, which has no meaning. */
        STALE_VERSION
    }

    /** A small object; {@code serial} makes it unique. */
    public static Payload object(
            String name, Map<String, String> labels, long serial, Style style) {
        String labelText =
                labels.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(label -> '"' + label.getKey() + "\":\"" + label.getValue() + '"')
                        .collect(Collectors.joining(","));
        String start =
                "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"%s\",%s%d-0000\","
                        .formatted(name, UID, serial % UIDS);
        String end = "\"labels\":{" + labelText + "}}," + SERIAL + serial + SERIAL_END;
        String shown = start + end;
        String value =
                switch (style) {
                    case COMPACT -> shown;
                    case SPACED -> shown.replace("\":", "\" : ").replace(",\"", ",\n  \"") + "\n";
                    case STALE_VERSION -> start + "\"resourceVersion\":\"7\"," + end;
                };
        return new Payload(Bytes.utf8(value), true, labels, shown);
    }

    /** The same, {@link Style#COMPACT}. */
    public static Payload object(String name, Map<String, String> labels, long serial) {
        return object(name, labels, serial, Style.COMPACT);
    }

    /** A Secret; {@code serial} makes it unique. */
    public static Payload secret(String name, Map<String, String> labels, long serial) {
        String data = "\"data\":{\"" + HIDDEN + "\":\"" + HIDDEN + serial + "\"},";
        Payload pod = object(name, labels, serial, Style.COMPACT);
        String shown =
                pod.shown()
                        .replace("\"kind\":\"Pod\"", "\"kind\":\"Secret\"")
                        .replace(SERIAL, data + SERIAL);
        return new Payload(Bytes.utf8(shown), true, labels, shown, Optional.empty(), true);
    }

    /** Bytes that hold a Secret and decode to no object of their own. */
    public static Payload rawSecret(long serial) {
        String text =
                "[{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"data\":\""
                        + HIDDEN
                        + serial
                        + "\"}]";
        return new Payload(Bytes.utf8(text), false, Map.of(), text, Optional.empty(), true);
    }

    /** What makes an object unique, as text; empty for other bytes. */
    public String serial() {
        int at = shown.lastIndexOf(SERIAL);
        return object && at >= 0
                ? " " + shown.substring(at + SERIAL.length(), shown.length() - SERIAL_END.length())
                : "";
    }

    /** The uid of an object; empty when it has none. */
    String uid() {
        int at = shown.indexOf(UID);
        int from = at + UID.length();
        return object && at >= 0 ? shown.substring(from, shown.indexOf('"', from)) : "";
    }

    /** Bytes that decode to no object. */
    public static Payload raw(String text) {
        return new Payload(Bytes.utf8(text), false, Map.of(), text);
    }

    /** A served value without its resourceVersion, which is compared separately as a number. */
    public static String normalForm(byte[] value, int offset, int length) {
        String text = new String(value, offset, length, StandardCharsets.UTF_8);
        int start = text.indexOf("\"resourceVersion\":\"");
        if (start < 0) {
            return text;
        }
        int end = text.indexOf('"', start + "\"resourceVersion\":\"".length()) + 1;
        if (text.charAt(end) == ',') {
            return text.substring(0, start) + text.substring(end + 1);
        }
        int from = text.charAt(start - 1) == ',' ? start - 1 : start;
        return text.substring(0, from) + text.substring(end);
    }

    /** The number in metadata.resourceVersion of a served value, -1 when there is none. */
    public static long resourceVersion(byte[] value, int offset, int length) {
        String text = new String(value, offset, length, StandardCharsets.UTF_8);
        int start = text.indexOf("\"resourceVersion\":\"");
        if (start < 0) {
            return -1;
        }
        start += "\"resourceVersion\":\"".length();
        return Long.parseLong(text.substring(start, text.indexOf('"', start)));
    }
}
