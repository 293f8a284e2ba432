package io.tidemark.store.fold;

import io.tidemark.json.JsonScanner;
import io.tidemark.json.JsonScanner.Token;
import io.tidemark.json.MalformedJsonException;
import io.tidemark.json.ValidJson;
import io.tidemark.record.Bytes;
import io.tidemark.view.object.PathTree;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the labels and some fields of an object's JSON, in one pass that also checks the text. Of
 * duplicate members the last counts. For one object and one thread.
 */
final class ObjectScan {
    /** Far above the depth of any object: a connector accepts 500. */
    private static final int MAX_DEPTH = 10_000;

    private final byte[] json;
    private final JsonScanner tokens;
    private final Map<String, String> labels = new HashMap<>();
    private final Map<String, String> values = new HashMap<>();
    private int resourceVersionOffset;
    private int metadataFrom;
    private int metadataTo;

    private ObjectScan(byte[] json) {
        this.json = json;
        this.tokens = new JsonScanner(json, 0, json.length, MAX_DEPTH, true);
    }

    /**
     * @param paths of the fields; below metadata only name, namespace and uid are read
     * @throws MalformedJsonException when the value is not one JSON object
     */
    static ObjectScan of(Bytes value, PathTree paths) {
        ObjectScan scan = new ObjectScan(value.array());
        if (scan.tokens.next() != Token.OBJECT) {
            throw new MalformedJsonException("another type", 0);
        }
        scan.readObject(paths);
        scan.tokens.finish();
        return scan;
    }

    /** By their names; those without a text are left out. */
    Map<String, String> labels() {
        return labels;
    }

    /** By their paths; those without a text are left out. */
    Map<String, String> values() {
        return values;
    }

    /** One past the start of the value of metadata.resourceVersion; 0 when there is none. */
    int resourceVersionOffset() {
        return resourceVersionOffset;
    }

    /** Where the metadata with that resource version begins; 0 when there is none. */
    int metadataFrom() {
        return metadataFrom;
    }

    /** Where that metadata ends, exclusive. */
    int metadataTo() {
        return metadataTo;
    }

    private void readObject(PathTree paths) {
        while (tokens.next() == Token.NAME) {
            String name = text();
            Token value = tokens.next();
            if (name.equals("metadata") && value == Token.OBJECT) {
                readMetadata();
            } else {
                read(value, paths.child(name));
            }
        }
    }

    private void readMembers(PathTree paths) {
        while (tokens.next() == Token.NAME) {
            String name = text();
            read(tokens.next(), paths.child(name));
        }
    }

    private void read(Token value, @Nullable PathTree paths) {
        if (paths != null && value == Token.OBJECT) {
            readMembers(paths);
        } else {
            take(value, paths == null ? null : paths.path(), values);
        }
    }

    private void readMetadata() {
        int from = tokens.from();
        boolean versioned = false;
        while (tokens.next() == Token.NAME) {
            String name = text();
            boolean escaped = tokens.to() - tokens.from() > name.length() + 2;
            Token value = tokens.next();
            switch (name) {
                case "name" -> take(value, AttributeExtractor.NAME, values);
                case "namespace" -> take(value, AttributeExtractor.NAMESPACE, values);
                case "uid" -> take(value, AttributeExtractor.UID, values);
                case "resourceVersion" -> {
                    // Readers of the metadata alone compare names byte by byte.
                    if (!escaped) {
                        versioned = true;
                        resourceVersionOffset = tokens.from() + 1;
                    }
                    skip(value);
                }
                case "labels" -> {
                    if (value == Token.OBJECT) {
                        readLabels();
                    } else {
                        skip(value);
                    }
                }
                default -> skip(value);
            }
        }
        if (versioned) {
            metadataFrom = from;
            metadataTo = tokens.to();
        }
    }

    private void readLabels() {
        while (tokens.next() == Token.NAME) {
            String name = text();
            take(tokens.next(), name, labels);
        }
    }

    /** Booleans and numbers count as their text; null, lists and objects count as not set. */
    private void take(Token value, @Nullable String name, Map<String, String> into) {
        if (name != null && value == Token.SCALAR && json[tokens.from()] != 'n') {
            into.put(name, text());
        } else {
            skip(value);
        }
    }

    /** Moves to the end of the value that has begun. */
    private void skip(Token value) {
        if (value == Token.OBJECT || value == Token.ARRAY) {
            int outside = tokens.depth() - 1;
            while (tokens.depth() > outside) {
                Token _ = tokens.next();
            }
        }
    }

    /** The text of a name or a scalar. */
    private String text() {
        int from = tokens.from();
        int to = tokens.to();
        if (json[from] != '"') {
            return new String(json, from, to - from, StandardCharsets.US_ASCII);
        }
        for (int i = from + 1; i < to; i++) {
            if (json[i] == '\\') {
                return ValidJson.unescaped(json, from + 1, to - 1);
            }
        }
        return new String(json, from + 1, to - from - 2, StandardCharsets.UTF_8);
    }
}
