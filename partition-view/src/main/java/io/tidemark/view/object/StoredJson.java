package io.tidemark.view.object;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.tidemark.record.Bytes;
import java.io.IOException;

/** Reads stored objects' JSON as a stream of tokens. */
public final class StoredJson {
    /** etcd bounds a value to some MiB; these only lift Jackson's lower limits. */
    private static final StreamReadConstraints CONSTRAINTS =
            StreamReadConstraints.builder()
                    .maxStringLength(1 << 28)
                    .maxNameLength(1 << 28)
                    .maxNumberLength(1 << 28)
                    .maxNestingDepth(10_000)
                    .build();

    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .streamReadConstraints(CONSTRAINTS)
                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                    .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
                    .build();

    private StoredJson() {}

    /** A parser over part of an array, before the first token. */
    public static JsonParser parser(byte[] utf8, int from, int length) throws IOException {
        return FACTORY.createParser(utf8, from, length);
    }

    /**
     * The text of a scalar in an object; empty when the path leads to nothing, to null, to a list
     * or an object.
     *
     * @param path see {@link FieldPath}
     */
    public static String field(Bytes json, String path) {
        return FieldReader.read(json.array(), 0, json.length(), path);
    }
}
