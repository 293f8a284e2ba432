package io.tidemark.view.object;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.tidemark.record.Bytes;
import java.io.IOException;

/** How stored objects' JSON is read: each object that etcd can hold is readable. */
public final class StoredJson {
    /** etcd bounds a value to some MiB; this only lifts Jackson's lower limits. */
    private static final int UNLIMITED = 1 << 28;

    private static final JsonFactory FACTORY = factory();

    private StoredJson() {}

    /**
     * A new factory, for a mapper. All that reads stored bytes uses one of these: with Jackson's
     * own limits, one unusual object would fail a whole list.
     *
     * <p>The limit of depth stays: the connector stores no JSON as deep, and readers recurse.
     */
    public static JsonFactory factory() {
        return JsonFactory.builder()
                .streamReadConstraints(
                        StreamReadConstraints.builder()
                                .maxStringLength(UNLIMITED)
                                .maxNameLength(UNLIMITED)
                                .maxNumberLength(UNLIMITED)
                                .build())
                // All parsers would share one table of names. It refuses colliding names, or
                // searches them one by one, and keeps thousands of names of any length: who
                // writes an object chooses its names.
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                // The usual one takes quadratic time.
                .enable(StreamReadFeature.USE_FAST_BIG_NUMBER_PARSER)
                .build();
    }

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
